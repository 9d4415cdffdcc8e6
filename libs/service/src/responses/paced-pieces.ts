import { type ServerResponse } from 'node:http';

/**
 * Large bodies are written in pieces of at most this many bytes, each after the socket took the one before, so that
 * progress is visible once per piece.
 */
export const pieceBytes = 64 * 1024;

/** The bytes in pieces, without copying them. */
export function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let begin = 0; begin < body.length; begin += pieceBytes) yield body.subarray(begin, begin + pieceBytes);
}

/** A text of this many UTF-16 units has at most `pieceBytes` in UTF-8. */
const pieceUnits = Math.floor(pieceBytes / 3);

/**
 * The texts, one after the other, in pieces. Long ones are divided and short ones joined; none is encoded before its
 * turn.
 */
export function* piecesOfTexts(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    if (piece.length + text.length <= pieceUnits) {
      piece += text;
      continue;
    }
    if (piece !== '') yield piece;
    let begin = 0;
    for (; text.length - begin > pieceUnits; begin = endOfPiece(text, begin)) {
      yield text.slice(begin, endOfPiece(text, begin));
    }
    piece = text.slice(begin);
  }
  if (piece !== '') yield piece;
}

/** A pair of surrogates is one character, and stays together. */
function endOfPiece(text: string, begin: number): number {
  const end = begin + pieceUnits;
  const endsInPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return endsInPair ? end - 1 : end;
}

/** Writes the pieces as fast as the socket accepts them, and ends the response. Stops when the connection closes. */
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
