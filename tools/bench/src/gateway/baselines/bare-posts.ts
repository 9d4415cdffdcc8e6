import path from 'node:path';
import { exitOnError } from '@waggle/running/plain-error';
import { repositoryFolder } from '@waggle/running/repository-folder';
import { fastify } from 'fastify';
import { Pool, type QueryConfig } from 'pg';
import { z } from 'zod';

/** The default of the service. */
const poolSize = 10;

type Bindable = Readonly<{ bind: (values: object) => QueryConfig }>;
const statement = z.custom<Bindable>((value) => typeof value === 'object' && value !== null && 'bind' in value);
const lists = z.record(z.string(), statement);
const row = z.looseObject({ id: z.string() });

type Find = (database: Pool, author: string, permlink: string) => Promise<{ id: string }>;
type ReadDiscussion = (database: Pool, options: object) => Promise<ReadonlyMap<string, readonly string[]>>;
type ReadFeed = (database: Pool, page: object) => Promise<readonly { id: string }[]>;

const call = z.object({
  id: z.number(),
  method: z.string(),
  params: z.object({
    sort: z.string().optional(),
    account: z.string().optional(),
    observer: z.string().optional(),
    tag: z.string().optional(),
    author: z.string().default(''),
    permlink: z.string().default(''),
    limit: z.number().optional(),
  }),
});
type Params = z.output<typeof call>['params'];

/** Loads the statements of the built service, so that there is no copy to keep up to date. */
async function statements() {
  const load = async <Schema extends z.ZodType>(file: string, schema: Schema) =>
    schema.parse(await import(path.join(repositoryFolder, 'apps/rpc-gateway/dist/posts', file)));
  return {
    ...(await load('ranked-pages.js', z.object({ rankedPages: z.record(z.string(), lists) }))),
    ...(await load('account-pages.js', z.object({ accountPages: lists }))),
    ...(await load('posts.statements.js', z.object({ postRows: statement, postBodies: statement }))),
    ...(await load('votes.statements.js', z.object({ votesOnPosts: statement }))),
    ...(await load('known-posts.js', z.object({ getPost: z.custom<Find>() }))),
    ...(await load('discussion.js', z.object({ readDiscussion: z.custom<ReadDiscussion>() }))),
    ...(await load('feed.js', z.object({ readFeed: z.custom<ReadFeed>() }))),
  };
}

/** The ids of accounts and communities are the numbers in their names, and communities follow accounts. */
function accountId(name: string | undefined): number | null {
  return name === undefined ? null : Number(name.replace('bench-', ''));
}

/** A route that runs the statements of the service and returns their rows as JSON, without checks and formats. */
async function main(): Promise<void> {
  const database = new Pool({ connectionString: process.env['DATABASE_URL'], max: poolSize });
  const { rankedPages, accountPages, postRows, postBodies, votesOnPosts, getPost, readDiscussion, readFeed } =
    await statements();
  const query = async (bindable: Bindable | undefined, values: object) => {
    const { rows } = await database.query(bindable?.bind(values) ?? '');
    return z.array(row).parse(rows);
  };
  const communities = await database.query<{ id: number; name: string }>(
    `SELECT id, name FROM account WHERE name LIKE 'hive-%'`,
  );
  const communityIds = new Map(communities.rows.map(({ id, name }) => [name, id]));

  const idsOf = async (method: string, params: Params): Promise<readonly string[]> => {
    const { sort = '', account, observer, tag, author, permlink, limit } = params;
    if (sort === '') {
      const { id } = await getPost(database, author, permlink);
      if (method !== 'bridge.get_discussion') return [id];
      return [...(await readDiscussion(database, { id, observerId: null, reasons: null })).keys()];
    }
    const page = { after: null, observerId: accountId(observer), reasons: null, limit };
    if (sort === 'feed')
      return (await readFeed(database, { accountId: accountId(account), ...page })).map(({ id }) => id);
    if (account !== undefined) {
      const list = accountPages[sort === 'blog' ? 'personal_blog' : sort];
      return (await query(list, { accountId: accountId(account), ...page })).map(({ id }) => id);
    }
    const community = communityIds.get(tag ?? '');
    const scope =
      tag === undefined ? 'all' : tag === 'my' ? 'subscribed' : community === undefined ? 'tag' : 'unpinned';
    const of = { all: null, subscribed: page.observerId, tag, unpinned: community }[scope];
    return (await query(rankedPages[scope]?.[sort], { scope: of, ...page })).map(({ id }) => id);
  };

  const app = fastify();
  app.post('/', async (request) => {
    const { id, method, params } = call.parse(request.body);
    const ids = await idsOf(method, params);
    const posts = await query(postRows, { ids });
    const observerId = accountId(params.observer);
    const votes = await database.query(votesOnPosts.bind({ ids, observerId, perPost: 1_000, limit: 100_001 }));
    const bodies = await query(postBodies, { ids });
    return { jsonrpc: '2.0', result: { posts, votes: votes.rows, bodies }, id };
  });
  process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
}

exitOnError(main());
