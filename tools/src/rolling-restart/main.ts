import { parseArgs } from 'node:util';
import { PlainError } from '../plain-error';
import { runAndEnd } from '../running/run-and-end';
import { type Running } from '../running/running';
import { type RestartOutcome, restartUnderLoad } from './run';

/** Instances serve on after SIGTERM for as long as they do by default. */
const full = {
  instances: { chat: 3, others: 2, drainDelaySeconds: 5 },
  clients: 60,
  messagesPerSecond: 60,
  requesters: 20,
  calmMs: 5_000,
  restarts: Infinity,
};
const quick = {
  instances: { chat: 2, others: 1, drainDelaySeconds: 1 },
  clients: 8,
  messagesPerSecond: 30,
  requesters: 4,
  calmMs: 300,
  restarts: 1,
};

/** @returns the exit code: 0 where nothing failed and nothing was lost */
async function main(running: Running): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const outcome = await restartUnderLoad(running, isQuick() ? quick : full, say);
  say(['', ...reportLines(outcome)].join('\n'));
  return faultsOf(outcome).length === 0 ? 0 : 1;
}

function isQuick(): boolean {
  try {
    return parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values.quick;
  } catch (error) {
    throw new PlainError(
      `${error instanceof Error ? error.message : String(error)}\nnpm run rolling-restart -- [--quick]`,
    );
  }
}

function reportLines(outcome: RestartOutcome): string[] {
  const { chat, requests } = outcome;
  const faults = faultsOf(outcome);
  return [
    `chat: ${chat.sent} messages sent, ${chat.acknowledged} acknowledged; clients came back ${chat.reconnected} times.`,
    ...requests.map(({ service, answered, retried, failed }) => {
      const reasons = Object.entries(retried).map(([reason, count]) => `${count} after ${reason}`);
      const again = reasons.length === 0 ? 'none at a second try' : `at a second try ${reasons.join(', ')}`;
      return `${service}: ${answered} requests answered, ${again}; ${failed.length} failed.`;
    }),
    faults.length === 0 ? 'Nothing failed, nothing was lost.' : faults.slice(0, 20).join('\n'),
  ];
}

function faultsOf({ chat, requests, failures }: RestartOutcome): string[] {
  const unanswered =
    chat.sent === chat.acknowledged ? [] : [`${chat.sent - chat.acknowledged} messages without an answer`];
  return [...unanswered, ...chat.violations, ...requests.flatMap(({ failed }) => failed), ...failures];
}

runAndEnd(main);
