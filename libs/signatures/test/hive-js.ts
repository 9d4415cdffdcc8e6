import { spawn } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';
import path from 'node:path';

/** The public key that hive-js recovers from each signature; null where it refuses. */
export async function recoverByHiveJs(
  signed: readonly { text: string; signature: string }[],
): Promise<(string | null)[]> {
  const answers = await ask(signed.map(({ text, signature }) => ({ text, signature })));
  return answers.map((answer) => (typeof answer === 'string' ? answer : null));
}

/** The text signed by hive-js, with the private key that it makes of the seed. */
export async function signByHiveJs(text: string, seed: string): Promise<{ signature: string; publicKey: string }> {
  const [answer] = await ask([{ text, seed }]);
  if (!isSigned(answer)) throw new Error('hive-js did not sign');
  return answer;
}

function isSigned(answer: unknown): answer is { signature: string; publicKey: string } {
  return typeof answer === 'object' && answer !== null && 'signature' in answer && 'publicKey' in answer;
}

async function ask(questions: readonly object[]): Promise<unknown[]> {
  const child = spawn(process.execPath, [path.join(__dirname, 'hive-js-answers.cjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(questions));
  const answers: unknown = JSON.parse(await readAll(child.stdout));
  if (!isList(answers) || answers.length !== questions.length) throw new Error('hive-js did not answer');
  return answers;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}
