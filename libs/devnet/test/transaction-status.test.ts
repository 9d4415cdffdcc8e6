import { Devnet } from '../src/devnet';
import { devnetKeys } from '../src/keys';
import { hiveTime, secondsOf } from '../src/time';
import { callNode, rejected } from './call-node';

let devnet: Devnet;
let id: string;

beforeEach(async () => {
  devnet = await Devnet.start({ nodes: ['hived', 'hived-1.25'], unsigned: true });
  const transfer = { from: 'alice', to: 'bob', amount: '1.000 HIVE', memo: '' };
  ({ id } = devnet.chain.include([['transfer', transfer]], [devnetKeys('alice').active.wif]));
});
afterEach(() => devnet.stop());

const find = (params: object, node = devnet.node) => callNode(node, 'transaction_status_api.find_transaction', params);
const head = () => secondsOf(devnet.chain.head.timestamp);
const findExpired = (seconds: number) => find({ transaction_id: 'ab', expiration: hiveTime(seconds) });

it('follows a transaction to an irreversible block', async () => {
  const params = { transaction_id: id, expiration: hiveTime(head() + 60) };
  expect(await find(params)).toEqual({ status: 'within_mempool' });
  const { number } = devnet.produceBlock();
  expect(await find(params)).toEqual({ status: 'within_reversible_block', block_num: number, rc_cost: 0 });
  devnet.makeIrreversible();
  const last = { status: 'within_irreversible_block', block_num: number };
  expect(await find(params)).toEqual({ ...last, rc_cost: 0 });
  expect(await find({ transaction_id: id.toUpperCase() })).toMatchObject(last);
  const [, old = devnet.node] = devnet.nodes;
  expect(await find(params, old)).toEqual(last);
});

it('does not know a transaction that a fork removed', async () => {
  devnet.produceBlock();
  devnet.chain.undoBlocks(1);
  expect(await find({ transaction_id: id })).toEqual({ status: 'unknown' });
});

it('does not see a pending transaction on a node that lags', async () => {
  devnet.node.misbehave({ behindBlocks: 1 });
  expect(await find({ transaction_id: id })).toEqual({ status: 'unknown' });
});

it('reports the expiration of an unknown transaction', async () => {
  devnet.chain.holdIrreversible();
  devnet.produceBlocks(3);
  const { chain } = devnet;
  const irreversible = secondsOf(chain.findBlock(chain.lastIrreversible)?.timestamp ?? '');
  expect(await find({ transaction_id: 'ab' })).toEqual({ status: 'unknown' });
  expect(await findExpired(head() + 60)).toEqual({ status: 'unknown' });
  expect(await findExpired(head())).toEqual({ status: 'unknown' });
  expect(await findExpired(head() - 1)).toEqual({ status: 'expired_reversible' });
  expect(await findExpired(irreversible + 1)).toEqual({ status: 'expired_reversible' });
  expect(await findExpired(irreversible)).toEqual({ status: 'expired_irreversible' });
  // Also before the chain began; hived knows the transactions of 54 hours, which may last for 24.
  expect(await findExpired(head() - 29 * 3600)).toEqual({ status: 'expired_irreversible' });
  expect(await findExpired(head() - 31 * 3600)).toEqual({ status: 'too_old' });
});

it('reads an id like hived', async () => {
  expect(await find({})).toEqual({ status: 'unknown' });
  expect(await find({ transaction_id: 'xyz' })).toMatchObject(
    rejected("unspecified:Invalid hex character 'x'", -32000),
  );
});
