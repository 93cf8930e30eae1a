// Loader hooks, registered by `hook.mjs`.
//
// GitHub's packages are made for a bundler and import JSON with no attribute. And the packages lie in the folder of
// installed tools, not beside these scripts: MACHE_NODE_PACKAGES is that folder.
import { pathToFileURL } from 'node:url';

const packages = pathToFileURL(`${process.env.MACHE_NODE_PACKAGES}/`).href;

export const resolve = (specifier, context, next) => {
  const ours = !context.parentURL?.includes('/node_modules/');
  const bare = !/^(\.|\/|[a-z]+:)/.test(specifier);
  return next(specifier, ours && bare ? { ...context, parentURL: packages } : context);
};

export const load = (url, context, next) =>
  next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context);
