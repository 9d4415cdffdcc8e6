import { parseArgs } from 'node:util';
import { PlainError, runAndEnd, type Running, withUsage } from '@waggle/running';
import { deploy, type Service } from './deployments';
import { type RestartOptions, type RestartOutcome, restartUnderLoad } from './run';

type Sizes = Omit<RestartOptions, 'services'>;

const full: Sizes = {
  instances: { chat: 3, others: 2 },
  drainDelaySeconds: 5,
  clients: 60,
  messagesPerSecond: 60,
  requesters: 20,
  calmMs: 5_000,
  restarts: Infinity,
};
const quick: Sizes = {
  instances: { chat: 1, others: 1 },
  // Long enough that every client sends another request, even on a busy machine.
  drainDelaySeconds: 3,
  clients: 8,
  messagesPerSecond: 15,
  requesters: 2,
  calmMs: 300,
  restarts: 1,
};

const all = Object.keys(deploy).filter(isService);

/** @returns the exit code: 0 if nothing failed and nothing was lost */
async function main(running: Running): Promise<number> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const outcome = await restartUnderLoad(running, readOptions(process.argv.slice(2)), print);
  const problems = problemsOf(outcome);
  print(
    [
      '',
      ...reportLines(outcome),
      ...(problems.length === 0 ? ['Nothing failed, nothing was lost.'] : problems.slice(0, 20)),
    ].join('\n'),
  );
  return problems.length === 0 ? 0 : 1;
}

function readOptions(args: string[]): RestartOptions {
  const { values, positionals } = withUsage(`\nnpm run rolling-restart -- [--quick] [${all.join('] [')}]`, () =>
    parseArgs({ args, allowPositionals: true, options: { quick: { type: 'boolean', default: false } } }),
  );
  const unknown = positionals.find((name) => !isService(name));
  if (unknown !== undefined) throw new PlainError(`There is no service ${unknown}; there are ${all.join(', ')}.`);
  const services = positionals.length === 0 ? all : all.filter((service) => positionals.includes(service));
  return { ...(values.quick ? quick : full), services };
}

function isService(name: string): name is Service {
  return Object.hasOwn(deploy, name);
}

function reportLines({ chat, requests }: RestartOutcome): string[] {
  const messages =
    chat === undefined
      ? []
      : [
          `chat: ${chat.sent} messages sent, ${chat.acknowledged} acknowledged; clients reconnected ${chat.reconnected} times.`,
        ];
  return [
    ...messages,
    ...requests.map(
      ({ service, succeeded, failed }) =>
        `${service}: ${succeeded} requests succeeded, ${[...failed.values()].reduce((sum, count) => sum + count, 0)} failed.`,
    ),
  ];
}

function problemsOf({ chat, requests, failures }: RestartOutcome): string[] {
  const failed = requests.flatMap(({ service, failed: counts }) =>
    [...counts].map(([failure, count]) => `${service}: ${count} times ${failure}`),
  );
  return [...(chat?.problems ?? []), ...failed, ...failures];
}

runAndEnd(main);
