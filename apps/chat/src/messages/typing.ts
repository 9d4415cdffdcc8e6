import { Inject, Injectable } from '@nestjs/common';
import { type ClientPayload } from '@waggle/contracts';
import { POOL } from '@waggle/service';
import { LRUCache } from 'lru-cache';
import { type Pool } from 'pg';
import { Delivery } from '../delivery/delivery';
import { ChatError, notFound } from '../errors';
import { type FrameRequest } from '../realtime/frame-request';
import { authorizeMessage } from './authorize-messages';

/**
 * Shortest time between two broadcasts of an account in a conversation, in milliseconds; `TypingPace` of libs/client
 * sends one in 3 s.
 */
const minIntervalMs = 2_500;
/** Maximum number of accounts and conversations in `broadcasts`. */
const maxTypists = 10_000;

/** Broadcasts to connections with the capability that an account is typing. Nothing is stored. */
@Injectable()
export class Typing {
  /** The last broadcast of each typist. If it failed, the next frames get the same error. */
  private readonly broadcasts = new LRUCache<string, Promise<void>>({
    max: maxTypists,
    ttl: minIntervalMs,
  });

  constructor(
    private readonly delivery: Delivery,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  /**
   * Broadcasts that the account is typing if it may write.
   * @throws ChatError as for a message: `not-found`, `blocked`, `friends-only`, `unavailable`; `forbidden` for readers
   * of a channel
   */
  async broadcast({ conversation_id }: ClientPayload<'typing'>, request: FrameRequest): Promise<void> {
    const { account } = request;
    if (!this.delivery.isSubscribed(account, conversation_id)) throw notFound();
    const typist = `${conversation_id} ${account}`;
    let broadcast = this.broadcasts.get(typist);
    if (broadcast === undefined) {
      broadcast = this.authorizeAndBroadcast(conversation_id, account);
      this.broadcasts.set(typist, broadcast);
    }
    await broadcast;
  }

  private async authorizeAndBroadcast(conversation_id: string, username: string): Promise<void> {
    const permission = await authorizeMessage(this.pool, { conversationId: conversation_id, sender: username });
    if (permission.changesConversation) {
      if (permission.recipient === null) throw new ChatError('forbidden', 'only members of the channel may send this');
      // The dm is hidden from one of the two until the next message.
      return;
    }
    const payload = { conversation_id, username };
    this.delivery.broadcast(conversation_id, { type: 'typing', payload, to: { except: username } });
  }
}
