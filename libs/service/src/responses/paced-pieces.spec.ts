import { pieceBytes, piecesOf, piecesOfTexts } from './paced-pieces';

const joined = (pieces: Iterable<string | Buffer>) =>
  Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece))).toString();
const longest = (pieces: Iterable<string | Buffer>) =>
  Math.max(...Array.from(pieces, (piece) => Buffer.byteLength(piece)));

describe('pieces', () => {
  it.each([0, 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes])(
    'of %i bytes add up to the whole, and none is too long',
    (n) => {
      const body = Buffer.alloc(n, 'abc');
      expect(joined(piecesOf(body))).toBe(body.toString());
      expect(longest([...piecesOf(body), ''])).toBeLessThanOrEqual(pieceBytes);
    },
  );

  it.each(['a', 'ü', '蜂', '🐝', 'a🐝'])(
    'of texts of %s join short ones and split long ones between characters',
    (letter) => {
      const texts = ['[', letter, ',', letter.repeat(2 * pieceBytes), ',', letter.repeat(20_000), ',', letter, ']'];
      const pieces = [...piecesOfTexts(texts)];
      expect(joined(pieces)).toBe(texts.join(''));
      expect(longest(pieces)).toBeLessThanOrEqual(pieceBytes);
      expect(pieces[0]).toBe(`[${letter},`);
    },
  );
});
