import { Random, until, untilApplied } from '@waggle/testing';
import { rowsOf, SnapshotStack } from '../support/snapshot-stack';

const listAccounts = 'database_api.list_accounts';

describe('an index that starts after block 1', () => {
  let stack: SnapshotStack;
  beforeAll(async () => {
    stack = await SnapshotStack.start(new Random(1));
    stack.activity.produceBlocks(20);
    stack.devnet.makeIrreversible();
  });
  afterEach(() => {
    stack.devnet.node.behave();
  });
  afterAll(() => stack.stop());

  /** The index state of an index that is started with this block. */
  const beginningOf = async (startBlock: number) => {
    const url = await stack.database();
    const stop = await stack.index(url, { START_BLOCK: String(startBlock) });
    await untilApplied(url, stack.devnet.chain.lastIrreversible);
    await stop();
    const [state] = await rowsOf(url, 'SELECT first_block, begins, notifications_from FROM index_state');
    return state;
  };

  const rejectCall = () => {
    const error = { code: -32003, message: 'Assert Exception:false' };
    stack.devnet.node.misbehave({ error, onlyMethods: [listAccounts] });
  };
  const listNone = () => {
    stack.devnet.node.misbehave({
      distort: ({ method }, result) => (method === listAccounts ? { accounts: [] } : result),
    });
  };

  it('lacks the earlier blocks if the node does not list accounts', async () => {
    rejectCall();
    expect(await beginningOf(10)).toMatchObject({ first_block: 10 });
  });

  it('counts as one from block 1 if no accounts existed before', async () => {
    listNone();
    expect(await beginningOf(10)).toEqual(await beginningOf(1));
  });

  it('counts as one from block 1 if the node only rejects the first call', async () => {
    const { calls } = stack.devnet.node;
    const before = calls.get(listAccounts);
    rejectCall();
    const beginning = beginningOf(10);
    await until(() => calls.get(listAccounts) !== before);
    listNone();
    expect(await beginning).toMatchObject({ first_block: 1 });
  });
});
