import { setTimeout } from 'node:timers/promises';
import { type Chat, RefusedError, UnreachableError } from '@waggle/client';

const againMs = 250;

/**
 * Asks over REST until the service answers: while it is away, and while it says that it cannot.
 *
 * @throws what the library throws when asking again is of no use, and when the chat has ended
 */
export async function untilAnswered<T>(chat: Chat, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const mayHelp =
        error instanceof UnreachableError || (error instanceof RefusedError && error.retryAfterMs !== undefined);
      if (!mayHelp || chat.state === 'ended') throw error;
      await setTimeout(againMs);
    }
  }
}
