import { readFile } from 'node:fs/promises';
import path from 'node:path';
import '../../src/local/local-methods';
import { declaredStatements } from '@waggle/service';
import { type TestDatabase } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { freshDatabase } from '../support/index-under-test';
import { fillIndex } from '../support/large-index';

type DeclaredStatement = ReturnType<typeof declaredStatements>[number];

/**
 * More rows make the test slower. The low fill factor makes PostgreSQL treat the tables as larger ones. `ranked_post`
 * may be read whole: it has the posts of a week, however long the chain is.
 */
const posts = 30_000;
const accounts = posts / 10;
const largeTables = [
  'account',
  'post',
  'post_content',
  'post_tag',
  'payout',
  'vote',
  'blog_entry',
  'follow',
  'community_role',
];

/** Pages that a statement may read: always, and in addition for each row that it returns. */
const maxPages = { always: 200, perRow: 60 };

const ofUnpaid = 'Reads the unpaid posts of a week, and is shared per block or limited by `longReads`.';
const ofAccount = 'Sorts what an account wrote or follows; `longReads` limits how many run at once.';
/** Statements that may read more pages, by the beginnings of their names. */
const exceptions: Readonly<Record<string, string>> = {
  'posts-muted-': ofUnpaid,
  'posts-payout-': 'Looks for posts of one day among the unpaid ones, in the order of their payout.',
  'posts-payout_comments-': 'Leaves out posts.',
  'posts-payout_posts-': 'Leaves out comments.',
  'posts-trending-tag': 'Sorts the unpaid posts with a tag.',
  'posts-hot-tag': 'Sorts the unpaid posts with a tag.',
  'posts-hot-all': 'Sorts the unpaid posts of an observer, if PostgreSQL expects that few remain.',
  'posts-trending-subscribed': 'Reads a page of each community.',
  'posts-hot-subscribed': 'Reads a page of each community.',
  'posts-created-subscribed': 'Reads a page of each community.',
  'posts-promoted-subscribed': 'Reads a page of each community.',
  'account-posts-feed': ofAccount,
  'account-posts-recent-feed': 'Reads at most 20,000 entries, until some of followed accounts fill the page.',
  'account-posts-personal_blog': 'Leaves out posts in communities.',
  'account-posts-by-tag': 'Leaves out posts with other tags.',
  'comments-by-last-update-': ofAccount,
  'comments-paid': 'Leaves out unpaid posts.',
  'payout-stats': ofUnpaid,
  'trending-tags': ofUnpaid,
  'blog-entries': 'Counts the entries of the blog.',
};

/** Statements that may read all accounts: once per block, or two at a time. */
const scans = ['posts-muted-all'];

const community = accounts + 1;
const lastPosts = Array.from({ length: 20 }, (_, number) => String(posts - number));
/** A post with 200 replies. */
const discussed = '400';

type Value = string | number | Date | null | readonly (string | number)[];

/** Values of parameters by their names: of an anonymous first page, and of an observer's next page. */
const values: Readonly<Record<string, readonly [Value, Value]>> = {
  after: [null, String(posts - 500)],
  observerId: [null, 2],
  reasons: [null, 31],
  limit: [20, 20],
  accountId: [5, 2],
  accountIds: [
    [1, 2, 3],
    [1, 2, 3],
  ],
  authorId: [5, 5],
  authorIds: [[5], [5]],
  postIds: [lastPosts, lastPosts],
  voterId: [5, 5],
  communityId: [community, community],
  tag: ['tag-0', 'tag-300'],
  category: ['tag-0', 'none'],
  id: [discussed, discussed],
  postId: [discussed, String(posts)],
  rootId: [discussed, discussed],
  parentId: [discussed, discussed],
  ids: [lastPosts, lastPosts],
  perPost: [1_000, 1_000],
  from: [0, 0],
  author: ['bench-5', 'bench-5'],
  permlink: ['x', 'x'],
  authors: [['bench-5'], ['bench-5']],
  permlinks: [['x'], ['x']],
  created: [new Date(0), new Date()],
  updated: [new Date(), new Date()],
};

/** What a ranking is of, by the end of the name of its statement. */
const scopes: Readonly<Record<string, readonly [Value, Value]>> = {
  all: [null, null],
  subscribed: [2, 2],
  community: [community, community + 700],
  unpinned: [community, community + 700],
  tag: ['tag-0', 'tag-300'],
};

function valueOf({ name }: DeclaredStatement, parameter: string, variant: 0 | 1): Value {
  const value = parameter === 'scope' ? scopes[name.split('-').at(-1) ?? ''] : values[parameter];
  if (value === undefined) throw new Error(`There is no value for ${parameter} of ${name}`);
  return value[variant];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const readsPosts = /\b(FROM|JOIN) (post_content|post_tag|post_text|ranked_post|payout|vote|blog_entry|post)\b/;
/** Without the statements of notifications, and without the indexer's statements that read rows by their keys. */
const statements = declaredStatements().filter(
  ({ name, text }) => readsPosts.test(text) && /^\s*(SELECT|WITH)/.test(text) && !/notification|-by-key$/.test(name),
);

function beginsWith(names: readonly string[], name: string): boolean {
  return names.some((each) => name.startsWith(each));
}

describe('the statements of methods about posts, on a large index', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await freshDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    for (const table of [...largeTables, 'ranked_post'])
      await client.query(`ALTER TABLE ${table} SET (fillfactor = 10)`);
    await fillIndex(client, posts);
    await client.query(`INSERT INTO chain_checkpoint (name, block_number, block_id, block_time, applied_at)
      VALUES ('rpc-gateway', 1, '', now(), now())`);
  }, 300_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** Executes a statement. @returns its plan */
  const planOf = async (statement: DeclaredStatement, variant: 0 | 1): Promise<PlanNode> => {
    const parameters = Object.keys(statement.parameters).map((name) => valueOf(statement, name, variant));
    const literals = parameters.map((value) => literalOf(client, value)).join(', ');
    await client.query(`PREPARE planned AS ${statement.text}`);
    try {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON, TIMING OFF) EXECUTE planned${literals === '' ? '' : `(${literals})`}`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      if (plan === undefined) throw new Error(`${statement.name} has no plan`);
      return plan;
    } finally {
      await client.query('DEALLOCATE planned');
    }
  };

  // In the short form only plans for all values, which cannot fit single ones.
  it.each(isLong ? ['custom', 'generic'] : ['generic'])(
    'neither scan tables nor read much more than they return: %s plans',
    async (mode) => {
      await client.query(`SET plan_cache_mode = force_${mode}_plan`);
      const findings: string[] = [];
      for (const statement of statements)
        for (const variant of [0, 1] as const) {
          const plan = await planOf(statement, variant);
          const { name } = statement;
          for (const node of nodesOf(plan)) {
            const table = node['Relation Name'] ?? '';
            const isScan = node['Node Type'] === 'Seq Scan' && largeTables.includes(table);
            if (isScan && !scans.includes(name)) findings.push(`${name} scans ${table}`);
          }
          const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
          const rows = plan['Actual Rows'];
          if (pages > maxPages.always + maxPages.perRow * rows && !beginsWith(Object.keys(exceptions), name))
            findings.push(`${name} reads ${pages} pages for ${rows} rows`);
        }
      expect([...new Set(findings)]).toEqual([]);
    },
    120_000,
  );

  it('are all in the document about the database', async () => {
    const text = await readFile(path.join(__dirname, '../../../../docs/gateway-storage.md'), 'utf8');
    const families = [...text.matchAll(/`([a-z_-]+)(\*?)`/g)].map(([, name = '', star]) => ({ name, star }));
    const isNamed = (name: string) =>
      families.some((family) => (family.star === '*' ? name.startsWith(family.name) : family.name === name));
    expect(statements.map(({ name }) => name).filter((name) => !isNamed(name))).toEqual([]);
  });
});

function literalOf(client: Client, value: Value): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return client.escapeLiteral(value.toISOString());
  return client.escapeLiteral(typeof value === 'object' ? `{${value.join(',')}}` : String(value));
}
