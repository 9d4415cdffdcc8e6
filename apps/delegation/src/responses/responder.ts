import { Inject, Injectable } from '@nestjs/common';
import { Exports, KeyedLimiter, observeAsDownload } from '@waggle/service';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { DelegationError } from '../errors';
import { type IndexPosition, lagSeconds } from '../index-state/index-position';
import { findIndexPosition } from '../index-state/index-position.statements';
import { SharedReads } from '../reads/shared-reads';
import { entityTagOf, isMatched } from './entity-tag';
import { type DeferredResponse, type ResponseData } from './deferred-response';
import { representationFor } from './representation';
import { RESPONSE_SETTINGS, type ResponseSettings } from './response-settings';

/** Headers that pages of other origins may read. */
const exposedHeaders = 'X-Request-Id, Retry-After, Link, Date, ETag, X-Synced-Block, X-Sync-Lag-Seconds';

/** The Vary header. @fastify/compress adds `accept-encoding` unless it finds that, in lower case. */
const variesWith = 'Accept, accept-encoding';

const pastLimit = 'past-requests-at-once';

/** Limits of the requests as of an earlier block that wait for each client. */
const pastQueueLimits = { maxQueued: 10, maxWaitMs: 2_000 };

/** Sends a response in the requested form, with the position of the index in headers. */
@Injectable()
export class Responder {
  /**
   * Runs few requests as of an earlier block for each client: one may take seconds of the database, and
   * `DelegationsStore` runs only half as many of all addresses as there are connections.
   */
  private readonly pastLimiter: KeyedLimiter;

  constructor(
    private readonly reads: SharedReads,
    private readonly exports: Exports,
    @Inject(RESPONSE_SETTINGS) { pastRequests }: Pick<ResponseSettings, 'pastRequests'>,
  ) {
    const maxRunning = pastRequests.maxConcurrent;
    const message = 'too many requests as of earlier blocks at a time; wait for the others to end';
    this.pastLimiter = new KeyedLimiter(
      { maxRunning, ...pastQueueLimits },
      () => new DelegationError('rate-limited', message, { retryAfterMs: 1_000, limit: pastLimit }),
    );
  }

  /**
   * @throws DelegationError `rate-limited` if too many requests as of earlier blocks wait for the client, or one for
   * too long; errors as of `Exports.begin`; and what the read throws
   */
  async respond(request: FastifyRequest, reply: FastifyReply, response: DeferredResponse): Promise<void> {
    const form = response.export === undefined ? 'json' : representationFor(request.headers.accept);
    const cacheKey = `${form} ${response.cacheKey}`;
    const { 'if-none-match': ifNoneMatch } = request.headers;
    if (ifNoneMatch !== undefined && (await this.sendIfUnchanged(reply, ifNoneMatch, cacheKey))) return;
    if (form === 'csv' && response.export !== undefined) {
      const { position, stream } = await this.exports.begin(request.client.address, response.export);
      observeAsDownload(reply);
      setHeaders(reply, cacheKey, position);
      reply.header('Content-Type', 'text/csv; charset=utf-8; header=present').send(stream);
      return;
    }
    const { position, body, links } = await this.read(request, response);
    setHeaders(reply, cacheKey, position);
    if (links !== undefined) reply.header('Link', links);
    reply.header('Content-Type', 'application/json; charset=utf-8').send(body);
  }

  /** Sends 304 if the client has the current response. @returns whether it was sent */
  private async sendIfUnchanged(reply: FastifyReply, ifNoneMatch: string, cacheKey: string): Promise<boolean> {
    const position = await findIndexPosition(this.reads);
    if (!isMatched(ifNoneMatch, entityTagOf(cacheKey, position))) return false;
    setHeaders(reply, cacheKey, position);
    reply.status(304).send();
    return true;
  }

  private read({ client }: FastifyRequest, { read, isOfPast }: DeferredResponse): Promise<ResponseData> {
    return isOfPast === true ? this.pastLimiter.run(client.keyFor(pastLimit), read, client.maxOf(pastLimit)) : read();
  }
}

function setHeaders(reply: FastifyReply, cacheKey: string, position: IndexPosition): void {
  const lag = lagSeconds(position);
  // CORS may have added Origin.
  const varies = reply.getHeader('Vary');
  reply.header('Vary', varies === undefined ? variesWith : `${String(varies)}, ${variesWith}`);
  if (reply.hasHeader('Access-Control-Allow-Origin')) reply.header('Access-Control-Expose-Headers', exposedHeaders);
  // Caches must revalidate a response each time.
  reply.header('Cache-Control', 'no-cache');
  reply.header('ETag', entityTagOf(cacheKey, position));
  reply.header('X-Synced-Block', position.syncedBlock);
  if (lag !== undefined) reply.header('X-Sync-Lag-Seconds', lag);
}
