import { randomUUID } from 'node:crypto';
import { type ClientFrameType } from '@waggle/contracts';

const chatMessage: ClientFrameType = 'chat-message';

/** The typical length of a message, in characters. */
const contentLength = 64;

/**
 * Makes the frames of one sender. Each message begins with its number, so that the receiver recognizes it.
 *
 * @param hasClientIds whether each has a `client_id`, as in the client library
 */
export function messageFrames(
  conversationId: string,
  to: string | null,
  hasClientIds = false,
): (number: number) => string {
  const payload = { conversation_id: conversationId, to, message: '' };
  const empty = JSON.stringify({ type: chatMessage, payload });
  const start = empty.slice(0, empty.lastIndexOf('"}}'));
  const filler = '. The quick brown fox jumps over the lazy dog, and then it sleeps.';
  const run = randomUUID();
  return (number) => {
    const text = String(number);
    const clientId = hasClientIds ? `,"client_id":"${run}-${text}"` : '';
    return `${start}${text}${filler.slice(0, contentLength - text.length)}"${clientId}}}`;
  };
}

const contentKey = Buffer.from('"content":"');
const digitZero = 0x30;

/** Finds the number of the message in a received frame without parsing the JSON; undefined if there is none. */
export function numberOf(frame: Buffer): number | undefined {
  const at = frame.indexOf(contentKey);
  if (at < 0) return undefined;
  let number = 0;
  for (let i = at + contentKey.length; i < frame.length; i += 1) {
    const digit = (frame[i] ?? 0) - digitZero;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
  return undefined;
}
