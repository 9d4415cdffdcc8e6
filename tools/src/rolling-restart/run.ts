import { check } from '../chaos/check/check';
import { LibraryClient } from '../chaos/clients/library-client';
import { beginConversations } from '../chaos/conversations';
import { Ledger } from '../chaos/ledger';
import { Load } from '../chaos/load';
import { Random } from '@waggle/testing';
import { settle } from '../chaos/settle';
import { readPlaces, readStored } from '../chaos/stored';
import { sleep } from '../chaos/until';
import { type Running } from '../running/running';
import { type RepeatedRequest, RequestLoad } from './request-load';
import { type Counts, type Stack, startStack } from './stack';

export interface RestartOptions {
  instances: Counts;
  /** Of the chat. */
  clients: number;
  messagesPerSecond: number;
  /** Of each of the other services, with a connection each. */
  requesters: number;
  /** How long everybody works before the first restart, after the last, and between two services. */
  calmMs: number;
  /** Of each service at most. */
  restarts: number;
}

export interface RestartOutcome {
  chat: { sent: number; acknowledged: number; reconnected: number; violations: string[] };
  requests: { service: string; answered: number; retried: Record<string, number>; failed: string[] }[];
  /** What must not happen besides. */
  failures: string[];
}

const delegationRequests: readonly RepeatedRequest[] = [
  { method: 'GET', path: '/api/deleg/in?account=bob', isRight: (text) => text.includes('"delegator":"alice"') },
  { method: 'GET', path: '/api/deleg/account?account=alice', isRight: (text) => text.includes('"out":3000') },
];

const call = (method: string, params: unknown, isRight: (text: string) => boolean): RepeatedRequest => ({
  method: 'POST',
  path: '/rpc',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  isRight,
});
const gatewayRequests: readonly RepeatedRequest[] = [
  call('bridge.account_notifications', { account: 'alice', min_score: 0 }, (text) => text.includes('followed you')),
  call('condenser_api.get_dynamic_global_properties', [], (text) => text.includes('head_block_number')),
];

/**
 * Restarts instances of chat, delegation and gateway, one after another, while clients work.
 *
 * @param say tells the person at the terminal
 */
export async function restartUnderLoad(
  running: Running,
  options: RestartOptions,
  say: (line: string) => void,
): Promise<RestartOutcome> {
  const { instances } = options;
  const accounts = Array.from({ length: options.clients }, (_none, index) => `roll-${String(index).padStart(4, '0')}`);
  say(
    `Starting PostgreSQL, Redis, a devnet, chat (${instances.chat}), delegation and gateway (${instances.others} each).`,
  );
  const stack = await startStack(running, accounts, instances);
  const random = new Random(1);
  const clients: LibraryClient[] = [];
  for (const [index, account] of accounts.entries()) {
    running.signal.throwIfAborted();
    const client = await LibraryClient.connect(account, index, await stack.chat.front(index));
    clients.push(client);
    running.keep({ stop: () => client.close() });
  }
  const conversations = await beginConversations(clients, random);
  const watchedAfter = await readPlaces(stack.chatDatabaseUrl);
  const ledger = new Ledger();
  const load = new Load({ clients, conversations, ledger, perSecond: options.messagesPerSecond, random });
  running.keep({
    stop: () => {
      load.stop();
      return Promise.resolve();
    },
  });
  const requestLoads = await startRequests(running, stack, options.requesters);

  say(
    `${options.clients} clients write ${options.messagesPerSecond} messages a second, and ${2 * options.requesters} ask.`,
  );
  load.start();
  await sleep(options.calmMs, running.signal);
  for (const replicas of [stack.chat, stack.delegation, stack.gateway]) {
    await replicas.restart(options.restarts, (index, drainMs) => {
      say(
        `  ${replicas.name} ${index + 1} is another process; the former one took ${(drainMs / 1_000).toFixed(1)} s to end.`,
      );
    });
    await sleep(options.calmMs, running.signal);
  }

  load.stop();
  for (const { load: requests } of requestLoads) await requests.stop();
  const unsettled = await settle({ clients, conversations, ledger, signal: running.signal });
  const violations = check({
    conversations: await readStored(stack.chatDatabaseUrl, watchedAfter),
    sendings: [...ledger.sendings],
    hearings: clients.map(({ hearing }) => hearing),
  });
  return {
    chat: {
      sent: ledger.sendings.length,
      acknowledged: ledger.count('acknowledged'),
      reconnected: clients.reduce((sum, { returns }) => sum + returns.resumed + returns.refetched, 0),
      violations: violations.map((violation) => JSON.stringify(violation)),
    },
    requests: requestLoads.map(({ service, load: { counts } }) => ({
      service,
      answered: counts.answered,
      retried: Object.fromEntries(counts.retried),
      failed: counts.failed,
    })),
    failures: [
      ...[stack.chat, stack.delegation, stack.gateway].flatMap((replicas) => replicas.failures),
      ...clients.flatMap((client) => client.failures),
      ...unsettled,
    ],
  };
}

async function startRequests(running: Running, stack: Stack, clients: number) {
  const loads: { service: string; load: RequestLoad }[] = [];
  for (const [replicas, requests] of [
    [stack.delegation, delegationRequests],
    [stack.gateway, gatewayRequests],
  ] as const) {
    const { port } = await replicas.front();
    await untilAnswered(running, port, requests);
    const load = new RequestLoad(port, requests, clients);
    running.keep({ stop: () => load.stop() });
    load.start();
    loads.push({ service: replicas.name, load });
  }
  return loads;
}

/** The indexers may still be on their way through the chain. */
async function untilAnswered(running: Running, port: number, requests: readonly RepeatedRequest[]): Promise<void> {
  for (const { method, path, body, isRight } of requests) {
    for (;;) {
      const headers = { 'content-type': 'application/json' };
      const init = { method, ...(body === undefined ? {} : { body, headers }) };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init).catch(() => undefined);
      if (response !== undefined && isRight(await response.text())) break;
      await sleep(100, running.signal);
    }
  }
}
