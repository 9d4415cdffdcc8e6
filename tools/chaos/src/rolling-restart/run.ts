import { type Running, startDevnet } from '@waggle/running';
import { startPostgres, startRedis } from '@waggle/testing';
import { sleep } from '../until';
import { ChatLoad, type ChatOutcome } from './chat-load';
import { deploy, type Deployment, type Ground, type Service } from './deployments';
import { attempt, type RepeatedRequest, RequestLoad } from './request-load';

export interface RestartOptions {
  services: readonly Service[];
  instances: { chat: number; others: number };
  /** How long an instance serves on after SIGTERM. */
  drainDelaySeconds: number;
  /** Of the chat, that write. */
  clients: number;
  messagesPerSecond: number;
  /** Of each service, with a connection each. */
  requesters: number;
  /** How long everybody works before the first restart, after the last, and between two services. */
  calmMs: number;
  /** Of each service at most. */
  restarts: number;
}

export interface RestartOutcome {
  chat: ChatOutcome | undefined;
  requests: { service: string; answered: number; retried: Record<string, number>; failed: string[] }[];
  /** What went wrong with instances that were asked to end. */
  failures: string[];
}

/**
 * Restarts instances of the services, one after another, while clients work.
 *
 * @param say tells the person at the terminal
 */
export async function restartUnderLoad(
  running: Running,
  options: RestartOptions,
  say: (line: string) => void,
): Promise<RestartOutcome> {
  const { services, instances, drainDelaySeconds, clients, messagesPerSecond, requesters, calmMs } = options;
  const counts = services.map((service) => [service, service === 'chat' ? instances.chat : instances.others] as const);
  say(`Starting ${counts.map(([service, count]) => `${service} (${count})`).join(', ')}, and what they need.`);
  const writers = services.includes('chat') ? clients : 0;
  const accounts = Array.from({ length: writers }, (_none, index) => `roll-${String(index).padStart(4, '0')}`);
  const ground = await startGround(running, accounts);
  const deployments = await Promise.all(
    counts.map(([service, count]) => deploy[service](ground, { instances: count, drainDelaySeconds })),
  );
  const chat = deployments[services.indexOf('chat')];
  const messages = chat === undefined ? undefined : await ChatLoad.begin(running, chat, accounts, messagesPerSecond);
  const loads = [];
  for (const deployment of deployments) loads.push(await startRequests(running, deployment, requesters));

  const writing = writers === 0 ? '' : `${writers} clients write ${messagesPerSecond} messages a second, and `;
  say(`${writing}${requesters * loads.length} ask.`);
  messages?.start();
  await sleep(calmMs, running.signal);
  for (const { replicas } of deployments) {
    await replicas.restart(options.restarts, (index, drainMs) => {
      say(
        `  ${replicas.name} ${index + 1} is another process; the former one took ${(drainMs / 1_000).toFixed(1)} s to end.`,
      );
    });
    await sleep(calmMs, running.signal);
  }

  for (const { load } of loads) await load.stop();
  return {
    chat: await messages?.finish(),
    requests: loads.map(({ service, load: { counts: seen } }) => ({
      service,
      answered: seen.answered,
      retried: Object.fromEntries(seen.retried),
      failed: seen.failed,
    })),
    failures: deployments.flatMap(({ replicas }) => replicas.failures),
  };
}

/** The servers, and a chain on which something is that can be asked for. */
async function startGround(running: Running, accounts: readonly string[]): Promise<Ground> {
  const postgres = running.keep(await startPostgres({ dataDir: 'temporary' }));
  const redis = running.keep(await startRedis());
  const devnet = running.keep(await startDevnet(accounts));
  running.signal.throwIfAborted();
  devnet.delegate('alice', 'bob', '3000.000000 VESTS');
  devnet.customJson('bob', 'follow', ['follow', { follower: 'bob', following: 'alice', what: ['blog'] }]);
  devnet.makeIrreversible();
  return { running, postgres, redis, devnet };
}

async function startRequests(running: Running, { replicas, requests }: Deployment, clients: number) {
  const { port } = await replicas.front();
  await untilAnswered(running, port, requests);
  const load = new RequestLoad(port, requests, clients);
  running.keep({ stop: () => load.stop() });
  load.start();
  return { service: replicas.name, load };
}

/** The indexers may still be on their way through the chain. */
async function untilAnswered(running: Running, port: number, requests: readonly RepeatedRequest[]): Promise<void> {
  for (const request of requests) while ((await attempt(port, request)) !== undefined) await sleep(100, running.signal);
}
