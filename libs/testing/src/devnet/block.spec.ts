import { createHash } from 'node:crypto';
import { blockId, merkleRoot, numberOf, serializeHeader } from './block';
import { zeroId } from './protocol';
import { recoverKey } from './signing';

/** The first block of Hive's main network, as block_api.get_block answers it. */
const first = {
  id: '0000000109833ce528d5bbfb3f6225b39ee10086',
  header: { previous: zeroId, timestamp: '2016-03-24T16:05:00', witness: 'initminer', transactionMerkleRoot: zeroId },
  witnessSignature:
    '204f8ad56a8f5cf722a02b035a61b500aa59b9519b2c33c77a80c0a714680a5a5a7a340d909d19996613c5e4ae92146b9add8a7a663eef37d837ef881477313043',
  signingKey: 'STM8GC13uCZbP44HzMLV6zPZGwVQ8Nt4Kji8PapsPiNq1BK153XTX',
};

describe("the first block of Hive's main network", () => {
  it('has the id that follows from its content', () => {
    expect(blockId(1, serializeHeader(first.header), first.witnessSignature)).toBe(first.id);
    expect(numberOf(first.id)).toBe(1);
  });

  it('has the signature of its signing key over its header', () => {
    const digest = createHash('sha256').update(serializeHeader(first.header)).digest();
    expect(recoverKey(digest, first.witnessSignature)).toBe(first.signingKey);
  });
});

describe('the Merkle root', () => {
  it('hashes pairs, moves an odd one up, and hashes the last by ripemd160', () => {
    const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
    const [a, b, c] = [sha256(Buffer.of(1)), sha256(Buffer.of(2)), sha256(Buffer.of(3))];
    const root = sha256(sha256(a, b), c);
    const expected = createHash('ripemd160').update(root).digest('hex');
    expect(merkleRoot([a, b, c].map((merkleDigest) => ({ merkleDigest })))).toBe(expected);
    expect(merkleRoot([])).toBe(zeroId);
  });
});
