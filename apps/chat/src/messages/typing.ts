import { Injectable } from '@nestjs/common';
import { type ClientPayload } from '@waggle/contracts';
import { LRUCache } from 'lru-cache';
import { ChatError, notThere } from '../errors';
import { type FrameRequest } from '../realtime/frame-request';
import { Streams } from '../streams/streams';

/** So often is told at most that somebody types somewhere. */
const pauseMs = 3_000;
/** So many who type are remembered. */
const typistsMost = 10_000;

/** Who types where: told to whoever hears the conversation and has asked for it, stored nowhere. */
@Injectable()
export class Typing {
  private readonly told = new LRUCache<string, true>({ max: typistsMost, ttl: pauseMs, ttlAutopurge: false });

  constructor(private readonly streams: Streams) {}

  /** @throws ServiceError `not-found`; `unknown-type` where the connection has not asked for it */
  tell({ conversation_id }: ClientPayload<'typing'>, request: FrameRequest) {
    if (!request.connection.has('typing')) throw new ChatError('unknown-type', 'there is no such type of frame');
    const { account: username } = request.caller;
    if (!this.streams.hearersOf(conversation_id).has(username)) throw notThere();
    const typist = `${conversation_id} ${username}`;
    if (this.told.has(typist)) return;
    this.told.set(typist, true);
    this.streams.mention(conversation_id, {
      type: 'typing',
      payload: { conversation_id, username },
      to: { except: username },
    });
  }
}
