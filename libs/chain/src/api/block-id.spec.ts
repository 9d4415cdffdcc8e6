import { type HiveBlock } from './block-api';
import { computeBlockId, zeroId } from './block-id';

/** Blocks of Hive's main network: the first, one with transactions, and one of 2021. */
const blocks: HiveBlock[] = [
  {
    number: 1,
    id: '0000000109833ce528d5bbfb3f6225b39ee10086',
    previous: zeroId,
    timestamp: new Date('2016-03-24T16:05:00Z'),
    witness: 'initminer',
    merkleRoot: zeroId,
    witnessSignature:
      '204f8ad56a8f5cf722a02b035a61b500aa59b9519b2c33c77a80c0a714680a5a5a7a340d909d19996613c5e4ae92146b9add8a7a663eef37d837ef881477313043',
    hasExtensions: false,
    transactions: [],
  },
  {
    number: 5_000_000,
    id: '004c4b40245ffb07380a393fb2b3d841b76cdaec',
    previous: '004c4b3fc6a8735b4ab5433d59f4526e4a042644',
    timestamp: new Date('2016-09-15T19:47:21Z'),
    witness: 'ihashfury',
    merkleRoot: '97a8f2b04848b860f1792dc07bf58efcb15aeb8c',
    witnessSignature:
      '1f6aa1c6311c768b5225b115eaf5798e5f1d8338af3970d90899cd5ccbe38f6d1f7676c5649bcca18150cbf8f07c0cc7ec3ae40d5936cfc6d5a650e582ba0f8002',
    hasExtensions: false,
    transactions: [],
  },
  {
    number: 57_303_923,
    id: '036a63739f9055ba273556552605b47fa67baf1c',
    previous: '036a637261d4d706cc7c00f20c05162d2bb94190',
    timestamp: new Date('2021-09-10T14:38:15Z'),
    witness: 'timcliff',
    merkleRoot: 'e63d859770f03601c75e5c3c1b576d6ced98f45c',
    witnessSignature:
      '20dbd69ca762a8a0698b7adb705145759948132b6058cc9cd152f173778a35ef0f7f233a956da03ec81b1e45479c53f7e8ef905a241e170fb3ac68cee83c63a20e',
    hasExtensions: false,
    transactions: [],
  },
];

it.each(blocks)('block $number of the main network has the id of its header', (block) => {
  expect(computeBlockId(block)).toBe(block.id);
});

it.each([
  ['another witness', { witness: 'mallory' }],
  ['another time', { timestamp: new Date('2016-03-24T16:05:03Z') }],
  ['other transactions', { merkleRoot: '1'.repeat(40) }],
])('%s results in another id', (_what, change) => {
  const [first] = blocks;
  expect(first && computeBlockId({ ...first, ...change })).not.toBe(first?.id);
});

it('does not compute the id of a header with extensions', () => {
  const [first] = blocks;
  expect(first && computeBlockId({ ...first, hasExtensions: true })).toBeUndefined();
});
