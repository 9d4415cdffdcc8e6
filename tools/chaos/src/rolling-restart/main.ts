import { parseArgs } from 'node:util';
import { PlainError, runAndEnd, type Running } from '@waggle/running';
import { deploy, type Service } from './deployments';
import { type RestartOptions, type RestartOutcome, restartUnderLoad } from './run';

type Sizes = Omit<RestartOptions, 'services'>;

/** Instances serve on after SIGTERM for as long as they do by default. */
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
  instances: { chat: 2, others: 1 },
  // Long enough for who asks all the time to ask once more, however busy the machine is.
  drainDelaySeconds: 3,
  clients: 8,
  messagesPerSecond: 30,
  requesters: 4,
  calmMs: 300,
  restarts: 1,
};

const all = Object.keys(deploy).filter(isService);

/** @returns the exit code: 0 where nothing failed and nothing was lost */
async function main(running: Running): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const outcome = await restartUnderLoad(running, readOptions(process.argv.slice(2)), say);
  const faults = faultsOf(outcome);
  say(
    [
      '',
      ...reportLines(outcome),
      ...(faults.length === 0 ? ['Nothing failed, nothing was lost.'] : faults.slice(0, 20)),
    ].join('\n'),
  );
  return faults.length === 0 ? 0 : 1;
}

function readOptions(args: string[]): RestartOptions {
  const { values, positionals } = parse(args);
  const unknown = positionals.find((name) => !isService(name));
  if (unknown !== undefined) throw new PlainError(`There is no service ${unknown}; there are ${all.join(', ')}.`);
  const services = positionals.length === 0 ? all : all.filter((service) => positionals.includes(service));
  return { ...(values.quick ? quick : full), services };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { quick: { type: 'boolean', default: false } } });
  } catch (error) {
    throw new PlainError(
      `${error instanceof Error ? error.message : String(error)}\nnpm run rolling-restart -- [--quick] [${all.join('] [')}]`,
    );
  }
}

function isService(name: string): name is Service {
  return Object.hasOwn(deploy, name);
}

function reportLines({ chat, requests }: RestartOutcome): string[] {
  const written =
    chat === undefined
      ? []
      : [
          `chat: ${chat.sent} messages sent, ${chat.acknowledged} acknowledged; clients came back ${chat.reconnected} times.`,
        ];
  return [
    ...written,
    ...requests.map(({ service, answered, retried, failed }) => {
      const reasons = Object.entries(retried).map(([reason, count]) => `${count} after ${reason}`);
      const again = reasons.length === 0 ? 'none at a second try' : `at a second try ${reasons.join(', ')}`;
      return `${service}: ${answered} requests answered, ${again}; ${failed.length} failed.`;
    }),
  ];
}

function faultsOf({ chat, requests, failures }: RestartOutcome): string[] {
  return [...(chat?.faults ?? []), ...requests.flatMap(({ failed }) => failed), ...failures];
}

runAndEnd(main);
