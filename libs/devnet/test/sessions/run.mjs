// Runs an ordinary session of a client library against a node, and prints its steps as JSON: [{title, result} or
// {title, error}]. A separate process: some libraries are ES modules with WebAssembly, which Jest does not load, and
// hive-js is slow inside its sandbox. node run.mjs <library> <JSON of {url, account, other}>
import { setTimeout as wait } from 'node:timers/promises';

// hive-js sometimes logs how many attempts a signature took.
console.log = () => undefined;
const [library, parameters] = process.argv.slice(2);
const steps = [];

async function step(title, run) {
  try {
    const result = await run();
    steps.push({ title, result });
    return result;
  } catch (error) {
    steps.push({ title, error: `${error?.constructor?.name}: ${error?.message ?? error}` });
    return undefined;
  }
}

/** Repeats a call until its result is as wanted. */
async function until(call, isWanted) {
  for (const end = Date.now() + 30_000; ; await wait(100)) {
    const result = await call();
    if (isWanted(result)) return result;
    if (Date.now() > end) throw new Error(`the last result is ${JSON.stringify(result)}`);
  }
}

const isIrreversible = ({ status }) => status === 'within_irreversible_block';

const { session } = await import(`./${library}.mjs`);
await session({ ...JSON.parse(parameters), step, until, isIrreversible });
const text = JSON.stringify(steps, (_, value) => (typeof value === 'bigint' ? String(value) : value));
// Some libraries leave timers.
process.stdout.write(text, () => process.exit());
