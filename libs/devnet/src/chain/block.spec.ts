import { createHash } from 'node:crypto';
import { blockId, merkleRoot, numberOf, serializeHeader } from './block';
import { serializeTransaction } from '../signing/hive-js';
import { zeroId } from '../protocol';
import { recoverKey } from '../signing/signing';
import { withSignatures } from './transaction';

/** The first block of Hive's main network, as block_api.get_block returns it. */
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

/** The transactions of block 5,000,000 of Hive's main network, in the form of condenser_api. */
const transactions = [
  {
    expiration: '2016-09-15T19:47:33',
    operations: [
      [
        'account_create',
        {
          fee: '10.000 HIVE',
          creator: 'steem',
          new_account_name: 'kefadex',
          owner: authority('STM871wj5KKnbwwiRv3scVcxQ26ynPnE1uaZr6dPpqVu9F4zJZgjZ'),
          active: authority('STM73bAnWEwkdUa7Lp4ovNzyu4soHUCaCNSz79YHQsDqscNdSe1E8'),
          posting: authority('STM7fXKrnQN3xhgFTQBFMgR9TU8CxfgAJrLvSDjGuM2bFkiuKfwZg'),
          memo_key: 'STM8i93Zznxu2QRNLCHBDXt5yyiMW1c3GEyVKV9XAs8H5wEWwdJaM',
          json_metadata: '',
        },
      ],
    ],
    signature:
      '1f63c75cc966916ea705a6fdef0821a810bdabb07118a3721f4cd52c972b9e4522534248c45ac908c1498752165a1d937eaf55ab6c028d7ee0ad893d3d4330d066',
  },
  {
    expiration: '2016-09-15T19:47:48',
    operations: [
      [
        'limit_order_create',
        {
          owner: 'cvk',
          orderid: 1473968838,
          amount_to_sell: '10.324 HIVE',
          min_to_receive: '6.819 HBD',
          fill_or_kill: false,
          expiration: '2035-10-29T06:32:22',
        },
      ],
    ],
    signature:
      '203e8ef6d16005180dc06756462bd867513a929bc4fa7c45f24ca2b0763cafdb06678812d777216f46d205e68a740dd19e32a1aa1a1df022500c0f1ef97800d0e0',
  },
];

function authority(key: string): object {
  return { weight_threshold: 1, account_auths: [], key_auths: [[key, 1]] };
}

describe('the Merkle root', () => {
  it('is that of the main network for the same signed transactions', () => {
    const signed = transactions.map(({ expiration, operations, signature }) => {
      const bytes = serializeTransaction({
        ref_block_num: 19_263,
        ref_block_prefix: 1_534_306_502,
        expiration,
        operations,
        extensions: [],
      });
      const transaction = {
        bytes,
        expiration,
        id: '',
        digest: bytes,
        refBlockNum: 0,
        refBlockPrefix: 0,
        operations: [],
      };
      return withSignatures(transaction, [signature]);
    });
    expect(merkleRoot(signed)).toBe('97a8f2b04848b860f1792dc07bf58efcb15aeb8c');
  });

  it('hashes pairs, moves an odd one up, and hashes the last by ripemd160', () => {
    const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
    const [a, b, c] = [sha256(Buffer.of(1)), sha256(Buffer.of(2)), sha256(Buffer.of(3))];
    const root = sha256(sha256(a, b), c);
    const expected = createHash('ripemd160').update(root).digest('hex');
    expect(merkleRoot([a, b, c].map((merkleDigest) => ({ merkleDigest })))).toBe(expected);
    expect(merkleRoot([])).toBe(zeroId);
  });
});
