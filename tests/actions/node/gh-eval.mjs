// GitHub's own evaluation of expressions, as in ${{ }} or in an `if:`.
//
// Standard input is a JSON list, standard output the list of answers. An entry is either
//   {expression, contexts}                             answered by the value, or
//   {condition, needs: {job: result, …}, outputs: {job: {…}}, cancelled, contexts}
// answered by whether a job with that `if:` runs. An entry that cannot be evaluated is answered {error: "…"}.
import fs from 'node:fs';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { ensureStatusFunction } from '@actions/workflow-parser/model/converter/if-condition';

const STATUS = ['success', 'failure', 'cancelled', 'always'];

function evaluate(expression, contexts = {}, status = {}) {
  const functions = STATUS.map((name) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(name === 'always' || Boolean(status[name])),
  }));
  const tree = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), functions).parse();
  const values = JSON.parse(JSON.stringify(contexts), data.reviver);
  const result = new Evaluator(tree, values, new Map(functions.map((f) => [f.name, f]))).evaluate();
  return JSON.parse(JSON.stringify(result, data.replacer));
}

// On GitHub success() and failure() look at the needs of the needs too: a case names all of them.
function jobRuns({ condition, needs, outputs = {}, cancelled = false, contexts = {} }) {
  const results = Object.values(needs);
  const status = { success: results.every((r) => r === 'success'), failure: results.includes('failure'), cancelled };
  const bare = String(condition ?? '').trim().replace(/^\$\{\{(.*)\}\}$/s, '$1').trim() || 'success()';
  const allowedContext = ['github', 'inputs', 'vars', 'needs', ...STATUS.map((name) => `${name}(0,0)`)];
  const needed = Object.entries(needs).map(([job, result]) => [job, { result, outputs: outputs[job] ?? {} }]);
  const values = { github: {}, inputs: {}, vars: {}, needs: Object.fromEntries(needed), ...contexts };
  return Boolean(evaluate(ensureStatusFunction(bare, { allowedContext }), values, status));
}

function answer(entry) {
  try {
    return 'expression' in entry ? evaluate(entry.expression, entry.contexts) : jobRuns(entry);
  } catch (error) {
    return { error: error.message };
  }
}

process.stdout.write(JSON.stringify(JSON.parse(fs.readFileSync(0, 'utf8')).map(answer)));
