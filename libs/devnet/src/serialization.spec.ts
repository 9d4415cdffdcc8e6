import { prefixOf } from './chain/block';
import { type Serialization } from './dialect';
import { DevnetChain } from './chain/chain';
import { devnetKeys } from './keys';
import { mainnetChainId } from './protocol';
import { signDigest } from './signing/signing';
import { nodeSoftware } from './software';
import { hiveTime, secondsOf } from './time';
import { packTransaction, readUnsigned } from './chain/transaction';

/** As wax 2.0.2 serializes it: with each asset. */
const example = {
  ref_block_num: 1,
  ref_block_prefix: 2,
  expiration: '2026-01-01T00:00:00',
  operations: [
    ['transfer', { from: 'alice', to: 'bob', amount: '0.001 HIVE', memo: '' }],
    ['transfer', { from: 'alice', to: 'bob', amount: '0.001 HBD', memo: '' }],
    ['delegate_vesting_shares', { delegator: 'alice', delegatee: 'bob', vesting_shares: '0.000001 VESTS' }],
  ],
  extensions: [],
};

function transfer(chain: DevnetChain, serialization: Serialization, amount = '1.000 HIVE'): object {
  const unsigned = {
    ref_block_num: chain.head.number & 0xffff,
    ref_block_prefix: prefixOf(chain.head.id),
    expiration: hiveTime(secondsOf(chain.head.timestamp) + 60),
    operations: [['transfer', { from: 'alice', to: 'bob', amount, memo: '' }]],
    extensions: [],
  };
  const { digest } = readUnsigned(unsigned, chain.chainId, serialization);
  return { ...unsigned, signatures: [signDigest(digest, devnetKeys('alice').active.wif)] };
}

const idOf = (json: object, serialization: Serialization) => readUnsigned(json, mainnetChainId, serialization).id;

describe('the serialization of hardfork 26', () => {
  it('has the bytes, the id and the digest that wax computes', () => {
    expect(packTransaction(example, mainnetChainId, 'hf26').toString('hex')).toBe(
      '01000200000000b95569030205616c69636503626f6201000000000000002320bcbe000205616c69636503626f6201000000000000000320bcbe00' +
        '2805616c69636503626f6201000000000000004620bcbe0000',
    );
    const { id, digest } = readUnsigned(example, mainnetChainId, 'hf26');
    expect(id).toBe('4217e80989b2df2902619160948c23a03683d08f');
    expect(digest.toString('hex')).toBe('a762dcece46f8d063826dd1517dec66e06254b7c0a9c56de04121936920661c5');
  });

  it('differs from the legacy one', () => {
    const { id, digest } = readUnsigned(example, mainnetChainId, 'legacy');
    expect(id).toBe('bd2fe1f37763d4606b22694d58c24b0c81a860b7');
    expect(digest.toString('hex')).toBe('f05849f88e8cc3872d207e8fbd55912c7d98734a7b5f3c232c6cfe5f0c5b4c1f');
  });
});

describe('a transfer', () => {
  it.each(['hf26', 'legacy'] as const)('signed as %s has the id and the digests of that form', (form) => {
    const chain = new DevnetChain();
    const json = transfer(chain, form);
    expect(chain.push(json)).toMatchObject({ id: idOf(json, form) });
    expect(() => chain.push(json)).toThrow('Duplicate transaction check failed');
    const block = chain.produceBlock();
    expect(block.transactions.map(({ id }) => id)).toEqual([idOf(json, form)]);
    const other = new DevnetChain();
    other.push(transfer(other, form === 'hf26' ? 'legacy' : 'hf26'));
    expect(block.transactionMerkleRoot).not.toBe(other.produceBlock().transactionMerkleRoot);
  });

  it('signed in the new form is rejected before 1.26', () => {
    const chain = new DevnetChain();
    const { serializations } = nodeSoftware['hived-1.25'];
    expect(() => chain.push(transfer(chain, 'hf26'), serializations)).toThrow(
      /^missing required active authority:Missing Active Authority alice$/,
    );
    expect(chain.push(transfer(chain, 'legacy'), serializations)).toMatchObject({ operations: [{ name: 'transfer' }] });
  });
});
