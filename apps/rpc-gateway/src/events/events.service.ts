import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type BeforeApplicationShutdown } from '@nestjs/common';
import { type Client, type ResponseLimits, ServiceError } from '@waggle/service';
import { type IndexView } from '../index-state/index-view';
import { type NotificationType } from '../notifications/notification-types';
import { parseEventId } from './event-id';
import { type EventDispatcher } from './event-dispatcher';
import { EventStream } from './event-stream';
import { type EventMetrics } from './events.metrics';
import { type StreamLimits } from './stream-limits';

export interface EventsRequest {
  readonly accounts: readonly string[];
  readonly types: readonly NotificationType[] | undefined;
  readonly lastEventId: string | undefined;
}

/** Opens streams, and ends them when the application shuts down. */
export class EventsService implements BeforeApplicationShutdown {
  private isShuttingDown = false;

  constructor(
    private readonly dispatcher: EventDispatcher,
    private readonly limits: StreamLimits,
    private readonly responses: ResponseLimits,
    private readonly metrics: EventMetrics,
    private readonly index: () => IndexView,
  ) {}

  /**
   * Opens a stream.
   *
   * @param begin writes the head of the response, with the given headers
   * @throws ServiceError if the index is incomplete, or the client or the process has too many streams
   */
  open(
    { accounts, types, lastEventId }: EventsRequest,
    client: Client,
    socket: Socket,
    begin: (headers: Readonly<Record<string, number>>) => ServerResponse,
  ): void {
    const index = this.index();
    requireWholeChain(index);
    const close = this.limits.open(client, accounts.length);
    this.metrics.streams.inc();
    const stream = new EventStream(
      this.responses.stream({ client }, socket, begin(indexHeaders(index))),
      {
        address: client.address,
        accounts,
        types: types && new Set(types),
        position: lastEventId === undefined ? undefined : parseEventId(lastEventId),
      },
      (event, count) => {
        this.metrics.events.inc({ event }, count);
      },
    );
    stream.onClosed(() => {
      close();
      this.metrics.streams.dec();
    });
    // Browsers reconnect after the end of a stream, but not after an error.
    if (this.isShuttingDown) stream.end();
    else {
      stream.suggestRetry();
      this.dispatcher.add(stream);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isShuttingDown = true;
    await this.dispatcher.endStreams();
  }
}

/** How far the index is when the stream begins: one that is behind sends notifications as it indexes their blocks. */
function indexHeaders({ contents, lag }: IndexView): Record<string, number> {
  if (typeof contents === 'string') return {};
  const lagHeader = lag === undefined ? {} : { 'x-gateway-index-lag': lag.seconds };
  return { 'x-gateway-index-block': contents.block, ...lagHeader };
}

/**
 * Mutes, reputations and posts of any age decide about notifications. An index that cannot be read or is empty may be
 * complete: its streams wait.
 */
function requireWholeChain({ contents }: IndexView): void {
  if (typeof contents === 'string' || contents.firstBlock === 1) return;
  const { firstBlock } = contents;
  throw new ServiceError(
    'index-incomplete',
    `the index starts with block ${firstBlock} and lacks earlier mutes, reputations and posts, on which notifications depend`,
  );
}
