import { pieceBytes, piecesOf, piecesOfTexts } from './paced-pieces';

const joined = (pieces: Iterable<string | Buffer>) =>
  Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece))).toString();
const longest = (pieces: Iterable<string | Buffer>) =>
  Math.max(...Array.from(pieces, (piece) => Buffer.byteLength(piece)));

describe('pieces', () => {
  it.each([0, 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes])(
    'of %i bytes are the whole, none of them too long',
    (n) => {
      const body = Buffer.alloc(n, 'abc');
      expect(joined(piecesOf(body))).toBe(body.toString());
      expect(longest([...piecesOf(body), ''])).toBeLessThanOrEqual(pieceBytes);
    },
  );

  it('of texts join small ones and divide large ones', () => {
    const texts = ['[', 'a'.repeat(10), ',', 'ü'.repeat(2 * pieceBytes), ',', 'b'.repeat(pieceBytes), ']'];
    const pieces = [...piecesOfTexts(texts)];
    expect(joined(pieces)).toBe(texts.join(''));
    expect(longest(pieces)).toBeLessThanOrEqual(pieceBytes);
    expect(pieces).toHaveLength(1 + 4 + 3);
  });

  it('of texts are encoded one after the other', () => {
    const read: string[] = [];
    function* texts() {
      for (const text of ['a', 'b'].map((letter) => letter.repeat(2 * pieceBytes))) {
        read.push(text);
        yield text;
      }
    }
    piecesOfTexts(texts()).next();
    expect(read).toHaveLength(1);
  });
});
