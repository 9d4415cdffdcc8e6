import { type Running, startDevnet } from '@waggle/running';
import { sleep } from '@waggle/running/waiting';
import { startPostgres, startRedis } from '@waggle/testing';
import { ChatLoad, type ChatOutcome } from './chat-load';
import { deploy, type Deployment, type Infrastructure, type Service } from './deployments';
import { type RequestCounts, RequestLoad, untilCaughtUp } from './request-load';

export interface RestartOptions {
  services: readonly Service[];
  instances: { chat: number; others: number };
  /** How long an instance continues to serve after SIGTERM. */
  drainDelaySeconds: number;
  /** Clients of the chat that write. */
  clients: number;
  messagesPerSecond: number;
  /** Keep-alive clients of each service. */
  requesters: number;
  /** How long the load runs before the first restart, between services and after the last restart. */
  calmMs: number;
  /** The maximum for each service. */
  restarts: number;
}

export interface RestartOutcome {
  chat: ChatOutcome | undefined;
  requests: ({ service: string } & RequestCounts)[];
  /** Instances that did not exit with 0. */
  failures: string[];
}

/** Replaces the instances of the services one by one under load. */
export async function restartUnderLoad(
  running: Running,
  options: RestartOptions,
  print: (line: string) => void,
): Promise<RestartOutcome> {
  const { services, instances, drainDelaySeconds, clients, messagesPerSecond, requesters, calmMs } = options;
  const sizes = services.map((service) => [service, service === 'chat' ? instances.chat : instances.others] as const);
  print(`Starting ${sizes.map(([service, count]) => `${service} (${count})`).join(', ')}.`);
  const writers = services.includes('chat') ? clients : 0;
  const accounts = Array.from({ length: writers }, (_none, index) => `roll-${String(index).padStart(4, '0')}`);
  const infrastructure = await startInfrastructure(running, accounts);
  const deployments = await Promise.all(
    sizes.map(([service, count]) => deploy[service](infrastructure, { instances: count, drainDelaySeconds })),
  );
  const chat = deployments[services.indexOf('chat')];
  const messages = chat === undefined ? undefined : await ChatLoad.begin(running, chat, accounts, messagesPerSecond);
  const loads = [];
  for (const deployment of deployments) loads.push(await startRequests(running, deployment, requesters));

  const writing = writers === 0 ? '' : `${writers} clients write ${messagesPerSecond} messages per second, and `;
  print(`${writing}${requesters * loads.length} send requests.`);
  messages?.start();
  await sleep(calmMs, running.signal);
  for (const { replicas } of deployments) {
    await replicas.restart(options.restarts, (index, drainMs) => {
      print(
        `  ${replicas.name} ${index + 1} was replaced; the old process took ${(drainMs / 1_000).toFixed(1)} s to exit.`,
      );
    });
    await sleep(calmMs, running.signal);
  }

  for (const { load } of loads) await load.stop();
  return {
    chat: await messages?.finish(),
    requests: loads.map(({ service, load }) => ({ service, ...load.counts })),
    failures: deployments.flatMap(({ replicas }) => replicas.failures),
  };
}

/** Starts the servers, with a delegation and a follow on the chain. */
async function startInfrastructure(running: Running, accounts: readonly string[]): Promise<Infrastructure> {
  const postgres = running.use(await startPostgres({ dataDir: 'temporary' }));
  const redis = running.use(await startRedis());
  const devnet = running.use(await startDevnet(accounts));
  running.signal.throwIfAborted();
  devnet.delegate('alice', 'bob', '3000.000000 VESTS');
  devnet.customJson('bob', 'follow', ['follow', { follower: 'bob', following: 'alice', what: ['blog'] }]);
  devnet.makeIrreversible();
  return { running, postgres, redis, devnet };
}

async function startRequests(running: Running, { replicas, requests, indexer }: Deployment, clients: number) {
  const { port } = await replicas.proxy();
  if (indexer !== undefined) await untilCaughtUp(indexer, port, requests);
  const load = new RequestLoad(port, requests, clients);
  running.use({ stop: () => load.stop() });
  load.start();
  return { service: replicas.name, load };
}
