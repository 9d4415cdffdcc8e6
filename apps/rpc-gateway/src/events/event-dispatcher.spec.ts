import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { createLogger, Registry, StreamedResponse } from '@waggle/service';
import { until } from '@waggle/testing';
import { EventDispatcher } from './event-dispatcher';
import { EventStream } from './event-stream';
import { EventMetrics } from './events.metrics';
import { type EventPage } from './events.store';

const index = '0123abcd';

const pageTo = (end: bigint): EventPage => ({
  index,
  events: [],
  isFull: false,
  end,
  lastExpiredId: 0n,
  firstImpossibleId: end + 10n,
  commitAgeMs: undefined,
});

function streamOf(account: string, id: bigint): EventStream {
  const response = new StreamedResponse(
    new ServerResponse(new IncomingMessage(new Socket())),
    { take: () => undefined, giveBack: () => undefined },
    { charge: () => undefined, waitMs: () => 0 },
  );
  const options = { address: account, accounts: [account], types: undefined, position: { index, id } };
  return new EventStream(response, options, () => undefined);
}

it('makes a stream live that has reached the poll, although an older page arrives after the poll', async () => {
  const polls: ((page: EventPage | undefined) => void)[] = [];
  const reads: { account: string | undefined; respond: (page: EventPage) => void }[] = [];
  const dispatcher = new EventDispatcher(
    {
      findAfter: () => new Promise((resolve) => polls.push(resolve)),
      findOfAccounts: ([account]) => new Promise((respond) => reads.push({ account, respond })),
    },
    new EventMetrics(new Registry()),
    createLogger('test', 'silent'),
    { pollIntervalMs: 1, heartbeatMs: 60_000 },
  );
  dispatcher.add(streamOf('alice', 1n));
  polls[0]?.(pageTo(5n));
  await until(() => reads.length === 1 && polls.length === 2);
  polls[1]?.(pageTo(100n));
  await until(() => polls.length === 3);
  reads[0]?.respond(pageTo(5n));
  await turn();
  dispatcher.add(streamOf('bob', 105n));
  await turn();
  expect(reads.map(({ account }) => account)).toEqual(['alice']);
  const ended = dispatcher.endStreams();
  polls[2]?.(undefined);
  await ended;
});
