import { type ServerResponse } from 'node:http';

/**
 * Large bodies are written in pieces of this many bytes, each when the socket has taken the one before: the kernel copies a
 * write whole, and progress shows by the piece. A reader that does not take one within `stalledAfterMs` is slower than
 * 4.3 KiB/s and is cut off.
 */
export const pieceBytes = 64 * 1024;

/** The bytes in pieces, without copying them. */
export function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let begin = 0; begin < body.length; begin += pieceBytes) yield body.subarray(begin, begin + pieceBytes);
}

/** The texts, one after the other, in pieces; a text is encoded only when its turn comes. */
export function* piecesOfTexts(texts: Iterable<string>): Generator<string | Buffer> {
  let small = '';
  for (const text of texts) {
    if (small.length + text.length <= pieceBytes) {
      small += text;
      continue;
    }
    if (small !== '') yield small;
    small = '';
    if (text.length <= pieceBytes) small = text;
    else yield* piecesOf(Buffer.from(text));
  }
  if (small !== '') yield small;
}

/** Writes the pieces as fast as the socket takes them, and ends the response. Stops where the connection closes. */
export function writePieces(response: ServerResponse, pieces: Iterator<string | Buffer>): void {
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    if (response.destroyed) return;
    if (response.write(next.value)) continue;
    response.once('drain', () => {
      writePieces(response, pieces);
    });
    return;
  }
  response.end();
}
