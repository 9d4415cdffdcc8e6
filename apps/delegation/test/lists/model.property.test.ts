import { setTimeout } from 'node:timers/promises';
import { Random } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Model } from '../support/model';
import { RandomHistory } from '../support/random-history';
import { type TextResponse, DelegationUnderTest } from '../support/delegation-under-test';

/** `LONG=true npx jest model.property`: a history of full size, as of every block. */
const size = isLong
  ? { accounts: 100, blocks: 10_000, sampledBlocks: 3, accountsPerBlock: 1 }
  : { accounts: 14, blocks: 200, sampledBlocks: 1, accountsPerBlock: 1 };
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

// The short form takes 15 s alone, and several times as long beside other work.
jest.setTimeout(isLong ? 3 * 3_600_000 : 240_000);

/**
 * How often a request is repeated that fails, and the pause between: only a pause of the machine explains a failure.
 */
const attempts = 10;
const pauseMs = 500;

describe(`the service compared with a naive model (SEED=${seed})`, () => {
  const random = new Random(seed);
  const history = new RandomHistory(random, size.accounts);
  const blocks = history.blocks(size.blocks);
  const model = new Model(blocks);
  const head = size.blocks;
  let service: DelegationUnderTest;

  /** After a pause of the whole machine, the database or a connection may have timed out. */
  const request = async (path: string, headers?: Record<string, string>): Promise<TextResponse> => {
    for (let left = attempts; left > 1; left -= 1) {
      const response = await service.get(path, headers).catch(() => undefined);
      if (response !== undefined && response.status !== 503) return response;
      await setTimeout(pauseMs);
    }
    return service.get(path, headers);
  };
  /** The texts are compared, so that every digit counts. */
  const expectResponse = async (path: string, expected: string) => {
    const { status, text } = await request(`/api/deleg/${path}`);
    // There are many thousands of responses: `expect` gets only the wrong ones.
    if (status !== 200 || text !== expected) expect([path, status, text]).toEqual([path, 200, expected]);
  };
  const listText = (items: readonly string[], limit = 100) => `[${items.slice(0, limit).join(',')}]`;
  const directions = ['in', 'out'] as const;
  const limits = [undefined, 1, 7, 1_000];

  /** Everything that the documented endpoints return for an account, optionally as of a block. */
  const compare = async (account: string, block?: number, limitsAsked = limits) => {
    const asOf = block === undefined ? '' : `&as_of_block=${block}`;
    const at = block ?? head;
    await expectResponse(`account?account=${account}${asOf}`, model.balance(account, at));
    for (const direction of directions) {
      const current = model.current(direction, account, at);
      const changes = model.history(direction, account, at);
      for (const limit of limitsAsked) {
        const query = `account=${account}${limit === undefined ? '' : `&limit=${limit}`}${asOf}`;
        await expectResponse(`${direction}?${query}`, listText(current, limit));
        await expectResponse(`history/${direction}?${query}`, listText(changes.toReversed(), limit));
        await expectResponse(`history/${direction}?${query}&descending=false`, listText(changes, limit));
      }
      await expectResponse(
        `history/${direction}?account=${account}&descending=true${asOf}`,
        listText(changes.toReversed()),
      );
    }
  };

  /** Runs the work for each item in order, eight at a time. */
  const forEach = async <T>(items: readonly T[], work: (item: T) => Promise<void>) => {
    const rest = items.values();
    const run = async () => {
      for (const item of rest) await work(item);
    };
    await Promise.all(Array.from({ length: 8 }, run));
  };

  beforeAll(async () => {
    service = await DelegationUnderTest.start({ trustedProxies: ['loopback'] });
    await service.feed.begin();
    // Batches of all sizes: effects within a batch must equal those over stored rows.
    let done = 0;
    while (done < blocks.length) {
      const next = done + 1 + random.below(random.chance(0.5) ? 3 : 200);
      await service.feed.apply(blocks.slice(done, next));
      done = next;
    }
  });
  afterAll(() => service.stop());

  it('returns the same for every account, endpoint, limit and direction', async () => {
    await forEach(history.accounts, async (account) => {
      await compare(account);
      await expectResponse(`returns?account=${account}&limit=1000`, listText(model.pending(account), 1_000));
      const other = random.pick(history.accounts);
      await expectResponse(`pair?delegator=${account}&delegatee=${other}`, model.pair(account, other, head));
      const block = random.below(head + 1);
      const pair = `delegator=${account}&delegatee=${other}`;
      await expectResponse(`pair?${pair}&as_of_block=${block}`, model.pair(account, other, block));
    });
  });

  it('returns the same as of earlier blocks', async () => {
    const sampled = [0, 1, head, ...Array.from({ length: size.sampledBlocks }, () => random.below(head + 1))];
    const anyLimit = () => [limits[random.below(limits.length)]];
    for (const block of sampled)
      await forEach(history.accounts, (account) => compare(account, block, isLong ? limits : anyLimit()));
    // Also as of every block, or every fourth one, for some of the accounts.
    for (let block = isLong ? 0 : random.below(4); block <= head; block += isLong ? 1 : 4) {
      const accounts = Array.from({ length: size.accountsPerBlock }, () => random.pick(history.accounts));
      await forEach(accounts, (account) => compare(account, block, anyLimit()));
    }
  });

  it('pages through every item once in both directions, and returns the same as CSV', async () => {
    await forEach(history.accounts, async (account) => {
      // One export at a time for each address.
      const headers = { accept: 'text/csv', 'x-forwarded-for': `192.0.2.${history.accounts.indexOf(account)}` };
      for (const list of ['in', 'out', 'history/in', 'history/out', 'history/in?descending=false']) {
        const [path = '', order = ''] = list.split('?');
        const whole = await request(`/api/deleg/${path}?account=${account}&limit=1000&${order}`);
        const forth = await walk(request, `/api/deleg/${path}?account=${account}&limit=3&${order}`, 'next');
        expect(`[${forth.items.join(',')}]`).toBe(whole.text);
        const back = await walk(request, forth.last, 'prev');
        expect(back.pages.toReversed().flat().join(',')).toBe(forth.items.join(','));
        const csv = await request(`/api/deleg/${path}?account=${account}&${order}`, headers);
        expect(csv.text.split('\r\n').slice(1, -1)).toEqual(forth.items.map(lineOf));
      }
    });
  });
});

/** The items of all pages of a list. `last` is the path of the last page. */
async function walk(request: (path: string) => Promise<TextResponse>, path: string, rel: 'next' | 'prev') {
  const pages: string[][] = [];
  let last = path;
  for (;;) {
    const { text, headers } = await request(last);
    pages.push(text.match(/\{[^}]*\}/g) ?? []);
    const link = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers['link'] ?? '')?.[1];
    if (link === undefined) return { pages, items: pages.flat(), last };
    last = link;
  }
}

/** An item as a line of CSV. */
function lineOf(item: string): string {
  const field = (name: string) => new RegExp(`"${name}":"?([^",}]*)`).exec(item)?.[1];
  const names = ['id', 'created', 'delegator', 'delegatee', 'amount'];
  return names
    .map(field)
    .filter((value) => value !== undefined)
    .join(',');
}
