// The YAML on standard input as JSON on standard output.
import fs from 'node:fs';
import { parse } from 'yaml';

process.stdout.write(JSON.stringify(parse(fs.readFileSync(0, 'utf8')) ?? null));
