import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Asset } from '../src/state/assets';
import { Devnet } from '../src/devnet';
import { type Dialect } from '../src/dialect';
import { devnetKeys } from '../src/keys';
import { type SoftwareName } from '../src/software';

// Client libraries with their own calls: what wallets read, sign, broadcast and wait for.

type Results = ReadonlyMap<string, unknown>;

interface Session {
  readonly library: string;
  readonly software: SoftwareName;
  /** Whose keys sign. */
  readonly name: string;
}

const sessions: readonly Session[] = [
  { library: 'dhive', software: 'hived', name: 'alice' },
  { library: 'dhive', software: 'haf', name: 'bob' },
  { library: 'hive-js', software: 'hived', name: 'carol' },
  { library: 'hive-tx-5', software: 'haf', name: 'dave' },
  { library: 'hive-tx-7', software: 'hived', name: 'erin' },
  { library: 'ecency', software: 'haf', name: 'frank' },
  { library: 'wax', software: 'hived', name: 'grace' },
  { library: 'wax', software: 'haf', name: 'heidi' },
];
/** To whom they transfer and delegate. */
const other = 'judy';

let devnet: Devnet;
const resultsOf = new Map<Session, Results>();

beforeAll(async () => {
  // Times are behind the clock: some libraries use the clock to choose when a transaction expires.
  const genesisTime = Math.floor(Date.now() / 1000) - 3600;
  devnet = await Devnet.start({ nodes: ['hived', 'haf'], genesisTime, blockIntervalMs: 300 });
  await Promise.all(sessions.map(async (session) => resultsOf.set(session, await run(session))));
});
afterAll(() => devnet.stop());

async function run({ library, software, name }: Session): Promise<Results> {
  const url = devnet.nodes.find((node) => node.software === software)?.url;
  const parameters = { url, other, account: { name, permlink: `by-${name}`, ...devnetKeys(name) } };
  // beekeeper creates a folder in the current one, even if its wallet is in memory.
  const cwd = await mkdtemp(path.join(tmpdir(), 'waggle-devnet-'));
  try {
    const script = path.join(__dirname, 'sessions', 'run.mjs');
    // hive-tx reads expirations as local times.
    const options = { cwd, env: { ...process.env, TZ: 'UTC' }, timeout: 50_000, maxBuffer: 64 * 1024 * 1024 };
    const args = [script, library, JSON.stringify(parameters)];
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    const steps = JSON.parse(stdout) as { title: string; result?: unknown; error?: string }[];
    return new Map(steps.map(({ title, result, error }) => [title, error ?? result]));
  } finally {
    await rm(cwd, { recursive: true });
  }
}

const containing = (text: string) => expect.stringContaining(text) as unknown;
const anyOf = (fields: object) => expect.objectContaining(fields) as unknown;
const schedule = ['initminer', ...Array<string>(20).fill('')];
const id = expect.stringMatching(/^[0-9a-f]{40}$/) as unknown;

/** What the steps of all sessions show. */
function ordinary({ name }: Session, dialect: Dialect, sent: unknown): Record<string, unknown> {
  const asset = (text: string) => Asset.parse(text)[dialect]();
  const entry = (operation: string, value: object) => [
    expect.any(Number) as unknown,
    anyOf({
      op: dialect === 'legacy' ? [operation, anyOf(value)] : { type: `${operation}_operation`, value: anyOf(value) },
    }),
  ];
  const vote = entry('vote', { voter: name, author: name, weight: 100 });
  const delegate = entry('delegate_vesting_shares', { delegator: name, delegatee: other });
  const transfer = entry('transfer', { from: name, to: other, amount: asset('0.001 HIVE') });
  const endowment = (amount: string) => entry('transfer', { from: 'initminer', to: name, amount: asset(amount) });
  const price = { base: asset('0.250 HBD'), quote: asset('1.000 HIVE') };
  return {
    accounts: [anyOf({ name, vesting_shares: asset('1000000.000000 VESTS') })],
    properties: anyOf({ total_vesting_fund_hive: asset('500000.000 HIVE') }),
    transfer: sent,
    comment: sent,
    vote: sent,
    custom_json: sent,
    delegation: sent,
    confirmation: anyOf({ status: 'within_irreversible_block' }),
    rejection: containing(`Missing Posting Authority ${name}`),
    'RC accounts': [anyOf({ account: name, max_rc: '1001000000000' })],
    'key references': [[name]],
    'reward fund': anyOf({ name: 'post', reward_balance: asset('800000.000 HIVE') }),
    price,
    'feed history': anyOf({ current_median_history: price, price_history: [price] }),
    'witness schedule': anyOf({ current_shuffled_witnesses: schedule }),
    'irreversible delegation': [delegate],
    transfers: [endowment('1000.000 HIVE'), endowment('1000.000 HBD'), transfer],
    'account history': expect.arrayContaining([
      entry('account_create', { new_account_name: name }),
      transfer,
      entry('comment', { author: name }),
      vote,
      entry('effective_comment_vote', { voter: name }),
      entry('custom_json', { required_posting_auths: [name] }),
      delegate,
    ]) as unknown,
    delegations: [anyOf({ delegator: name, delegatee: other, vesting_shares: asset('5000.000000 VESTS') })],
  };
}

const resources = anyOf({ resource_history_bytes: anyOf({}), resource_execution_time: anyOf({}) });
const witness = anyOf({ owner: 'initminer', last_confirmed_block_num: expect.any(Number) as unknown });
const full = { max: '1001000000000', current: '1001000000000', percent: 100 };

function withoutSteps(steps: Record<string, unknown>, titles: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(steps).filter(([title]) => !titles.includes(title)));
}

function expectedOf(session: Session): Record<string, unknown> {
  const { library, name } = session;
  const legacy = (sent: object) => ordinary(session, 'legacy', anyOf(sent));
  switch (library) {
    case 'dhive':
      return {
        ...legacy({ id }),
        'RC mana': anyOf({ max_mana: 1_001_000_000_000, percentage: 10_000 }),
        'voting mana': anyOf({ max_mana: 995_000_000_000, percentage: 10_000 }),
        'resource parameters': resources,
        'resource pool': resources,
        'key references': { accounts: [[name], []] },
        'active witnesses': schedule,
        witness,
        'verified authority': true,
      };
    case 'hive-js':
      return {
        ...legacy({ id }),
        'active witnesses': schedule,
        witness,
        'witnesses by votes': [witness],
        'hardfork version': '1.28.0',
        'verified authority': true,
        'transaction in hex': expect.stringMatching(/^[0-9a-f]+$/) as unknown,
        'synchronous broadcast': anyOf({ id, block_num: expect.any(Number) as unknown, expired: false }),
      };
    case 'hive-tx-5':
      return legacy({ tx_id: id });
    case 'hive-tx-7':
      return withoutSteps(legacy({ tx_id: id, status: 'unknown' }), ['transfer']);
    case 'ecency': {
      const confirmed = { id, block_num: expect.any(Number) as unknown, expired: false };
      return withoutSteps(legacy(confirmed), ['key references', 'price', 'witness schedule']);
    }
    default:
      return {
        ...ordinary(session, 'appbase', anyOf({ id })),
        // wax computes this hash from the parts of the error, as a recorded error of a node has it.
        assertion: containing('WaxProtocolAssertionError: '),
        'RC mana': full,
        'voting mana': { ...full, max: '995000000000', current: '995000000000' },
        'resource parameters': anyOf({ resource_params: resources }),
        'resource pool': { resource_pool: resources },
        'active witnesses': schedule,
        witness,
        'verified authority': true,
      };
  }
}

describe.each(sessions)('a session of $library with $software', (session) => {
  const expected = expectedOf(session);

  it('has these steps', () => {
    expect([...(resultsOf.get(session)?.keys() ?? [])].sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.keys(expected))('%s', (title) => {
    expect(resultsOf.get(session)?.get(title)).toEqual(expected[title]);
  });
});

it('wax understands an assertion that failed', () => {
  const wax = sessions.filter(({ library }) => library === 'wax');
  for (const session of wax) {
    const error = resultsOf.get(session)?.get('assertion');
    expect(error).toEqual(containing('Input too large: `${in}` (${is}) for fixed size string: (${fs})'));
    // The hash of this assertion in an error that a node of Hive sent.
    expect(error).toEqual(containing('"assert_hash":"15599059534279751802"'));
  }
});
