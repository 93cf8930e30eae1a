// What each YAML file named says, as one JSON list on standard output.
import fs from 'node:fs';
import { parse } from 'yaml';

const files = process.argv.slice(2);
process.stdout.write(JSON.stringify(files.map((file) => parse(fs.readFileSync(file, 'utf8')) ?? null)));
