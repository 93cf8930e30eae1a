// Checks every workflow and action of a repository with GitHub's own parser:
//   node gh-validate.mjs FOLDER OWNER/NAME [OTHER/NAME=FOLDER ...]
// It knows the inputs and outputs of the actions and workflows of these
// repositories, and of the actions that have a stand-in; it asks no network.
import fs from 'node:fs';
import path from 'node:path';
import { data, DescriptionDictionary } from '@actions/expressions';
import { registerLogger, validate } from '@actions/languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';

const [root, self, ...others] = process.argv.slice(2);
const repositories = new Map([[self, root], ...others.map((other) => other.split('='))]);
const standIns = path.join(import.meta.dirname, '..', 'stand-ins');

const known = new Map(); // asked for again at every expression

function metadata(folder) {
  if (!known.has(folder)) known.set(folder, read(folder));
  return known.get(folder);
}

function read(folder) {
  for (const name of ['action.yml', 'action.yaml']) {
    const file = path.join(folder, name);
    if (fs.existsSync(file)) return parse(fs.readFileSync(file, 'utf8'));
  }
  return undefined;
}

function actionOf(uses) {
  if (/^[$.]\//.test(uses)) return metadata(path.join(root, uses.slice(2)));
  const [owner, name, ...inside] = uses.split('@')[0].split('/');
  const repository = `${owner}/${name}`;
  return metadata(path.join(repositories.get(repository) ?? path.join(standIns, repository), ...inside));
}

const config = {
  fileProvider: {
    async getFileContent(ref) {
      const folder = ref.owner ? repositories.get(`${ref.owner}/${ref.repository}`) : root;
      if (!folder) throw new Error(`${ref.owner}/${ref.repository} is not at hand`);
      return { name: ref.path, content: fs.readFileSync(path.join(folder, ref.path), 'utf8') };
    },
  },
  actionsMetadataProvider: {
    async fetchActionMetadata(a) {
      return actionOf(`${a.owner}/${a.name}${a.path ? `/${a.path}` : ''}@${a.ref}`);
    },
  },
  contextProviderConfig: {
    // The outputs of a step are those that its action declares.
    async getContext(name, context, workflow) {
      if (name !== 'steps') return undefined;
      for (const step of workflow.job?.steps ?? []) {
        const outputs = step.uses && actionOf(step.uses.value)?.outputs;
        if (!outputs || !context.get(step.id)) continue;
        const declared = new DescriptionDictionary();
        for (const key of Object.keys(outputs)) declared.add(key, new data.StringData(''));
        const fresh = new DescriptionDictionary({ key: 'outputs', value: declared });
        for (const key of ['conclusion', 'outcome']) fresh.add(key, new data.Null());
        const all = context.pairs().map((pair) => (pair.key === step.id ? { ...pair, value: fresh } : pair));
        context = new DescriptionDictionary(...all);
      }
      return context;
    },
  },
};

const files = fs
  .readdirSync(root, { recursive: true })
  .filter((f) => !/(^|\/)(\.git|node_modules|target)\//.test(f))
  .filter((f) => /(^|\/)\.github\/workflows\/[^/]+\.ya?ml$|(^|\/)action\.ya?ml$/.test(f))
  .sort();
let findings = 0;
const quiet = () => {};
const error = (message) => {
  findings += 1; // a file that could not be checked is not one without findings
  console.log(message);
};
registerLogger({ error, warn: quiet, info: quiet, log: quiet });
for (const file of files) {
  const uri = `file:///${file}`;
  const document = TextDocument.create(uri, 'yaml', 1, fs.readFileSync(path.join(root, file), 'utf8'));
  for (const { message, range } of await validate(document, config)) {
    findings += 1;
    console.log(`${file}:${range.start.line + 1}:${range.start.character + 1}: ${message}`);
  }
}
console.log(`${files.length} files, ${findings} findings`);
process.exit(findings || !files.length ? 1 : 0);
