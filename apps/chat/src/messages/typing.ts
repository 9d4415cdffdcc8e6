import { Inject, Injectable } from '@nestjs/common';
import { type ClientPayload } from '@waggle/contracts';
import { POOL } from '@waggle/service';
import { LRUCache } from 'lru-cache';
import { type Pool } from 'pg';
import { ChatError, notThere } from '../errors';
import { type FrameRequest } from '../realtime/frame-request';
import { Streams } from '../streams/streams';
import { judgeMessages } from './judge-messages';
import { refused } from './refusals';

/** So often is told at most that somebody types somewhere: a little more often than clients say so, every three seconds. */
const pauseMs = 2_500;
/** So many who type are remembered. */
const typistsMost = 10_000;

/** Who types where: told to whoever hears the conversation and has asked for it, stored nowhere. */
@Injectable()
export class Typing {
  /** What has become of it in the last moments; that is the answer to the next ones too. */
  private readonly told = new LRUCache<string, Promise<void>>({ max: typistsMost, ttl: pauseMs, ttlAutopurge: false });

  constructor(
    private readonly streams: Streams,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  /**
   * Tells it of a member who may write: what is refused of a message is refused of its announcement.
   * @throws ServiceError `not-found`, `blocked`, `friends-only`; `forbidden` to who only reads a channel; `unavailable`;
   *   `unknown-type` where the connection has not asked for it
   */
  async tell({ conversation_id }: ClientPayload<'typing'>, request: FrameRequest): Promise<void> {
    if (!request.connection.has('typing')) throw new ChatError('unknown-type', 'there is no such type of frame');
    const { account } = request.caller;
    if (!this.streams.hearersOf(conversation_id).has(account)) throw notThere();
    const typist = `${conversation_id} ${account}`;
    const telling = this.told.get(typist) ?? this.judgeAndTell(conversation_id, account);
    if (!this.told.has(typist)) this.told.set(typist, telling);
    await telling;
  }

  private async judgeAndTell(conversation_id: string, username: string): Promise<void> {
    const [judgement] = await judgeMessages(this.pool, [{ conversationId: conversation_id, sender: username }]);
    if (judgement === undefined) throw new Error('a writer without a judgement');
    if (!('seq' in judgement)) throw refused(judgement.outcome);
    // Into a dm the writer may bring back who has left it: until then there is nobody to be told.
    if (judgement.outcome === 'arrives' && judgement.recipient === null) {
      throw new ChatError('forbidden', 'only a member of the channel may say so');
    }
    this.streams.mention(conversation_id, {
      type: 'typing',
      payload: { conversation_id, username },
      to: { except: username },
    });
  }
}
