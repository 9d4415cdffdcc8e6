import { type Authority, authorityOf } from './state/authority';
import { DevnetChain } from './chain/chain';
import { NodeError } from './errors';
import { devnetKeys } from './keys';
import { readUnsigned } from './chain/transaction';
import { hiveTime, secondsOf } from './time';
import { prefixOf } from './chain/block';
import { signDigest } from './signing/signing';

const alice = devnetKeys('alice');
const bob = devnetKeys('bob');

const customJson = (posting: string[], active: string[] = []): [string, object] => [
  'custom_json',
  { required_auths: active, required_posting_auths: posting, id: 'follow', json: '["follow",{}]' },
];
const transfer = (amount: string): [string, object] => ['transfer', { from: 'alice', to: 'bob', amount, memo: '' }];

/** A transaction that the chain takes, unless a field is changed. */
function transaction(
  chain: DevnetChain,
  changes: object = {},
  wifs = [alice.posting.wif],
  signedFor = chain.chainId,
): object {
  const unsigned = {
    ref_block_num: chain.head.number & 0xffff,
    ref_block_prefix: prefixOf(chain.head.id),
    expiration: hiveTime(secondsOf(chain.head.timestamp) + 60),
    operations: [customJson(['alice'])],
    extensions: [],
    ...changes,
  };
  const { digest } = readUnsigned(unsigned, signedFor, 'legacy');
  return { ...unsigned, signatures: wifs.map((wif) => signDigest(digest, wif)) };
}

/** What hived adds to the error if the signatures fit neither form of the transaction. */
const neitherForm = 'Transaction failed to validate using both new (hf26) and legacy serialization';

function rejectionOf(run: () => unknown): NodeError {
  try {
    run();
  } catch (error) {
    if (error instanceof NodeError) return error;
    throw error;
  }
  throw new Error('it was not rejected');
}

describe('a transaction', () => {
  const chain = new DevnetChain();

  it('is accepted in both formats, with the same id', () => {
    const legacy = transaction(chain);
    const [, value] = customJson(['alice']);
    const { id } = new DevnetChain().push({ ...legacy, operations: [{ type: 'custom_json_operation', value }] });
    expect(chain.push(legacy).id).toBe(id);
  });

  it('is rejected a second time', () => {
    const twice = transaction(chain, { operations: [customJson(['alice', 'bob'])] }, [
      alice.posting.wif,
      bob.posting.wif,
    ]);
    chain.push(twice);
    expect(rejectionOf(() => chain.push(twice)).toJSON()).toMatchObject({
      code: -32003,
      message: 'Assert Exception:!is_known_transaction( trx_id ): Duplicate transaction check failed',
      data: { name: 'assert_exception', code: 10 },
    });
    chain.produceBlock();
    expect(rejectionOf(() => chain.push(twice)).message).toContain('Duplicate transaction check failed');
  });

  it.each([
    ['the key of another account', [bob.posting.wif]],
    ['no signature', []],
    ['a lower authority', [alice.memo.wif]],
    ['a higher authority, which since hardfork 28 does not stand in', [alice.active.wif]],
  ])('is rejected with %s', (_, wifs) => {
    const rejection = rejectionOf(() => chain.push(transaction(chain, {}, wifs)));
    expect(rejection.toJSON()).toMatchObject({
      code: -32000,
      message: `missing required posting authority:Missing Posting Authority alice${neitherForm}`,
      data: {
        code: 3030000,
        name: 'tx_missing_posting_auth',
        message: 'missing required posting authority',
        stack: [
          {
            format: 'Missing Posting Authority ${id}',
            data: { id: 'alice', posting: authorityOf(alice.posting.publicKey) },
          },
          { format: neitherForm, data: {} },
        ],
      },
    });
  });

  it('is rejected without the active authority, and without the owner authority', () => {
    const active = transaction(chain, { operations: [transfer('1.000 HIVE')] });
    expect(rejectionOf(() => chain.push(active)).message).toBe(
      `missing required active authority:Missing Active Authority alice${neitherForm}`,
    );
    const update = {
      account: 'alice',
      owner: authorityOf(bob.owner.publicKey),
      memo_key: alice.memo.publicKey,
      json_metadata: '',
    };
    const owner = transaction(chain, { operations: [['account_update', update]] }, [alice.active.wif]);
    expect(rejectionOf(() => chain.push(owner)).message).toBe(
      `missing required owner authority:Missing Owner Authority alice${neitherForm}`,
    );
  });

  it('is rejected if signed for another chain', () => {
    const other = transaction(
      chain,
      {},
      [alice.posting.wif],
      '18dcf0a285365fc58b71f18b3d3fec954aa0c141c44e4e5cb4cf777b9eab274e',
    );
    expect(rejectionOf(() => chain.push(other)).message).toContain('Missing Posting Authority');
  });

  it('is rejected if changed after signing', () => {
    const changed = {
      ...transaction(chain),
      operations: [['custom_json', { ...customJson(['alice'])[1], id: 'other' }]],
    };
    expect(rejectionOf(() => chain.push(changed)).message).toContain('Missing Posting Authority');
  });

  it('is rejected with a duplicate signature', () => {
    const twice = transaction(chain, {}, [alice.posting.wif, alice.posting.wif]);
    expect(rejectionOf(() => chain.push(twice)).message).toBe(
      'duplicate signature included:Duplicate Signature detected',
    );
  });

  it('is rejected if expired, or if its expiration is too late', () => {
    const expired = transaction(chain, { expiration: chain.head.timestamp });
    expect(rejectionOf(() => chain.push(expired)).toJSON()).toMatchObject({
      code: -32000,
      message: 'transaction expiration exception:now < trx.expiration: ',
      data: { code: 4030100 },
    });
    const tooLong = transaction(chain, { expiration: hiveTime(secondsOf(chain.head.timestamp) + 24 * 60 * 60 + 1) });
    expect(rejectionOf(() => chain.push(tooLong)).message).toContain('HIVE_MAX_TIME_UNTIL_EXPIRATION');
  });

  it('is rejected if it refers to a block of another chain', () => {
    const rejection = rejectionOf(() => chain.push(transaction(chain, { ref_block_prefix: 1 })));
    expect(rejection.message).toContain('transaction tapos exception:trx.ref_block_prefix == ');
    expect(rejectionOf(() => chain.push(transaction(chain, { ref_block_num: 60_000 }))).message).toContain('tapos');
  });

  it.each<[string, object, string]>([
    ['an unknown operation', { operations: [['steal', {}]] }, 'Invalid object name: steal'],
    [
      'an unknown operation of the newer form',
      { operations: [{ type: 'steal_operation', value: {} }] },
      'Invalid object name: steal',
    ],
    ['no operation', { operations: [] }, 'A transaction must have at least one operation'],
    ['operations of a wrong type', { operations: 'transfer' }, 'Bad Cast:'],
    ['a missing field', { operations: [['transfer', { from: 'alice' }]] }, 'Bad Cast:'],
    ['a negative amount', { operations: [transfer('-1.000 HIVE')] }, 'Bad Cast:'],
    ['an amount of a wrong precision', { operations: [transfer('1.0 HIVE')] }, 'Bad Cast:'],
    ['an amount of nothing', { operations: [transfer('0.000 HIVE')] }, 'Cannot transfer a negative amount'],
    ['vests to transfer', { operations: [transfer('1.000000 VESTS')] }, 'Transfer of vests is not allowed.'],
    ['a malformed name', { operations: [customJson(['Al'])] }, 'Account name Al is invalid'],
    ['no account that signs', { operations: [customJson([])] }, 'at least one account must be specified'],
    [
      'text that is no JSON',
      { operations: [['custom_json', { ...customJson(['alice'])[1], json: '{' }]] },
      'not valid JSON',
    ],
    ['an expiration that is no time', { expiration: 'soon' }, 'Bad Cast:'],
    ['no reference block', { ref_block_num: 'x' }, 'Bad Cast:'],
  ])('is rejected with %s', (_, changes, message) => {
    const rejected = { ...transaction(chain), ...changes };
    expect(rejectionOf(() => chain.push(rejected)).message).toContain(message);
  });

  it.each([null, 'x', 7, [], {}, { operations: {} }, { ...{ __proto__: null } }])('is rejected as %j', (json) => {
    expect(rejectionOf(() => chain.push(json)).message).toContain('Bad Cast:');
  });

  it('is rejected for unknown accounts', () => {
    const stranger = transaction(chain, { operations: [customJson(['stranger'])] });
    expect(rejectionOf(() => chain.push(stranger)).message).toContain('unknown account stranger');
    const toStranger: [string, object] = [
      'transfer',
      { from: 'alice', to: 'stranger', amount: '1.000 HIVE', memo: '' },
    ];
    const lost = transaction(chain, { operations: [toStranger] }, [alice.active.wif]);
    expect(rejectionOf(() => chain.push(lost)).message).toContain('unknown account stranger');
  });
});

describe('an authority with several keys and accounts', () => {
  const both: Authority = {
    weight_threshold: 3,
    account_auths: [['carol', 1]],
    key_auths: [
      [alice.posting.publicKey, 1],
      [bob.posting.publicKey, 2],
    ],
  };
  const chain = new DevnetChain();
  const update = { account: 'alice', posting: both, memo_key: alice.memo.publicKey, json_metadata: '' };
  chain.include([['account_update', update]], [alice.active.wif]);
  const carol = devnetKeys('carol').posting.wif;

  it('requires weights that reach its threshold', () => {
    for (const wifs of [[alice.posting.wif], [bob.posting.wif], [alice.posting.wif, carol]]) {
      expect(rejectionOf(() => chain.push(transaction(chain, {}, wifs))).message).toContain(
        'Missing Posting Authority',
      );
    }
    chain.push(transaction(chain, {}, [alice.posting.wif, bob.posting.wif]));
  });

  it('counts an account by that account’s own authority', () => {
    chain.produceBlock();
    chain.push(transaction(chain, {}, [bob.posting.wif, carol]));
  });
});
