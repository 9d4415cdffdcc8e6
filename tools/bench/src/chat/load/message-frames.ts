import { randomUUID } from 'node:crypto';
import { type ClientFrameType } from '@waggle/contracts';

const chatMessage: ClientFrameType = 'chat-message';

/** Characters of a message, about what people write. */
const contentLength = 64;

/**
 * Makes the frames of one sender: each message begins with its number, so that it is known again when it comes back.
 * @param isMarked whether each has a `client_id`, as the client library gives it
 */
export function messageFrames(conversationId: string, to: string | null, isMarked = false): (number: number) => string {
  const payload = { conversation_id: conversationId, to, message: '' };
  const empty = JSON.stringify({ type: chatMessage, payload });
  const start = empty.slice(0, empty.lastIndexOf('"}}'));
  const filler = '. The quick brown fox jumps over the lazy dog, and then it sleeps.';
  const run = randomUUID();
  return (number) => {
    const text = String(number);
    const mark = isMarked ? `,"client_id":"${run}-${text}"` : '';
    return `${start}${text}${filler.slice(0, contentLength - text.length)}"${mark}}}`;
  };
}

const contentKey = Buffer.from('"content":"');
const digitZero = 0x30;

/** The number of the message that a frame carries; undefined where it carries none. Without parsing the JSON. */
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
