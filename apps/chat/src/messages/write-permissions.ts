import { LRUCache } from 'lru-cache';
import { type Pool } from 'pg';
import { type NewMessage } from '../log/append-messages';
import { authorizeMessages, type WriteError, type WritePermission } from './authorize-messages';

/** Maximum number of cached permissions; each takes a few hundred bytes. */
const maxPermissions = 50_000;

/** Caches write permissions, which may be stale. Errors are not cached, since nothing would invalidate them. */
export class WritePermissions {
  private readonly cache = new LRUCache<string, WritePermission>({ max: maxPermissions });

  constructor(private readonly pool: Pool) {}

  get(message: NewMessage): WritePermission | undefined {
    return this.cache.get(writerKeyOf(message));
  }

  delete(message: NewMessage): void {
    this.cache.delete(writerKeyOf(message));
  }

  clear(): void {
    this.cache.clear();
  }

  /** Reads the permissions of messages that are not cached. @returns the errors, by writer key */
  async read(messages: readonly NewMessage[]): Promise<Map<string, WriteError>> {
    const unknown = new Map<string, NewMessage>();
    for (const message of messages)
      if (!this.cache.has(writerKeyOf(message))) unknown.set(writerKeyOf(message), message);
    const errors = new Map<string, WriteError>();
    if (unknown.size === 0) return errors;
    const authorizations = await authorizeMessages(this.pool, [...unknown.values()]);
    for (const [i, writerKey] of [...unknown.keys()].entries()) {
      const authorization = authorizations[i];
      if (authorization === undefined) continue;
      if ('error' in authorization) errors.set(writerKey, authorization.error);
      else this.cache.set(writerKey, authorization.permission);
    }
    return errors;
  }
}

/** Equal for messages of one sender to one conversation, which share a write permission. */
export function writerKeyOf({ conversationId, sender }: NewMessage): string {
  return `${conversationId} ${sender}`;
}
