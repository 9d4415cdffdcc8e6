import { type Random } from '@waggle/testing';
import { genesisAccount, type TimedBlock } from './index-under-test';
import {
  act,
  castVote,
  create,
  custom,
  deletion,
  follow,
  options,
  type OperationSketch,
  paid,
  post,
  type PostSketch,
  readUpTo,
  reblog,
  reply,
  rewarded,
  transfer,
  vote,
} from './operations';

const people = ['alice', 'bob', 'carol', 'dan', 'eve', 'nobody-here', genesisAccount] as const;
const communities = ['hive-100001', 'hive-200001', 'hive-300001'] as const;
const followActions = [
  ['blog', 'follow', 'ignore', '', 'blacklist', 'unblacklist', 'follow_blacklist', 'unfollow_blacklist'],
  ['follow_muted', 'unfollow_muted', 'reset_following_list', 'reset_muted_list', 'reset_all_lists', 'blog', 'blog'],
].flat();
const beneficiaries = {
  type: 'comment_payout_beneficiaries',
  value: { beneficiaries: [{ account: 'carol', weight: 500 }] },
};
const roles = ['muted', 'guest', 'member', 'mod', 'admin'] as const;

/**
 * Returns blocks of random operations by a few accounts, many of them invalid. Some accounts are created on the way.
 */
export class RandomHistory {
  private newcomers = 0;

  constructor(private readonly random: Random) {}

  blocks(count: number): OperationSketch[][] {
    const first = [...people.slice(0, -2), ...communities].map((name) => create(name));
    return [first, ...Array.from({ length: count }, () => this.block())];
  }

  /** As `blocks`, with weeks between some of them, so that posts, notifications and texts expire. */
  timedBlocks(count: number): TimedBlock[] {
    return this.blocks(count).map((operations) => ({
      operations,
      seconds: this.random.chance(0.1) ? 3 + this.random.below(40 * 86_400) : 3,
    }));
  }

  private block(): OperationSketch[] {
    const creation = this.random.chance(0.2) ? [create(this.newcomer((this.newcomers += 1)))] : [];
    const operations = Array.from({ length: this.random.below(8) }, () => this.operation());
    return [
      ...creation,
      ...operations.filter(({ isVirtual }) => !isVirtual),
      ...operations.filter(({ isVirtual }) => isVirtual),
    ];
  }

  private operation(): OperationSketch {
    const { random } = this;
    const [who, link] = [this.person(), this.link()];
    const kinds: (() => OperationSketch)[] = [
      () => follow(who, [this.person(), this.person()], random.pick(followActions)),
      () => follow(who, this.person(), random.pick(followActions)),
      () => this.post(who, link.permlink),
      () => this.post(who, link.permlink),
      () => options(link, { max: random.below(9_000), extensions: random.chance(0.5) ? [beneficiaries] : [] }),
      () => transfer('null', random.below(9_000), `@${link.author}/${link.permlink}`),
      () => reply(who, link.permlink, this.link(), this.body()),
      () => reply(who, link.permlink, this.link(), this.body()),
      () => deletion(link),
      () => vote(who, link, String(random.bits(42) * (random.chance(0.2) ? -1n : 1n)), random.below(3_000)),
      () => vote(who, link, String(random.bits(42)), random.below(3_000)),
      () => castVote(who, link, random.below(20_001) - 10_000),
      () => castVote(who, link, random.below(20_001) - 10_000),
      () => rewarded(link, random.below(3_000)),
      () => paid(link),
      () => reblog(who, link),
      () => custom(who, 'reblog', ['reblog', { account: who, ...link, delete: 'delete' }]),
      () => readUpTo(who, '2026-01-01T00:00:30'),
      () => this.action(who, link),
      () => this.action(random.pick(communities), link),
    ];
    return random.pick(kinds)();
  }

  private post(author: string, permlink: string): OperationSketch {
    const { random } = this;
    const title = random.pick(['', 'Bees', 'Honey']);
    const metadata = random.pick(['', '{', '{"tags":["Bees","#honey",7]}', '{"tags":["wax"]}']);
    return post(author, permlink, {
      ...{ category: random.pick([...communities, 'bees']), title, metadata },
      body: random.chance(0.1) ? '' : this.body(),
    });
  }

  private action(signer: string, { author: account, permlink }: PostSketch): OperationSketch {
    const { random } = this;
    const community = communities.find((name) => name === signer) ?? random.pick(communities);
    const [action, payload] = random.pick<[string, object]>([
      ['subscribe', {}],
      ['unsubscribe', {}],
      ['setRole', { account, role: random.pick(roles) }],
      ['setRole', { account, role: random.pick(roles) }],
      ['setUserTitle', { account, title: `T${random.below(3)}` }],
      ['updateProps', { props: { title: `Title ${random.below(3)}` } }],
      ['mutePost', { account, permlink, notes: 'x' }],
      ['unmutePost', { account, permlink, notes: 'x' }],
      ['pinPost', { account, permlink }],
      ['unpinPost', { account, permlink }],
      ['flagPost', { account, permlink, notes: 'x' }],
    ]);
    return act(signer, action, community, payload);
  }

  /** Often the newest account, so that its first operations are close to its creation. */
  private person(): string {
    return this.newcomers > 0 && this.random.chance(0.3) ? this.newcomer(this.newcomers) : this.random.pick(people);
  }

  private newcomer(number: number): string {
    return `newcomer-${number}`;
  }

  private link(): PostSketch {
    return { author: this.person(), permlink: `p${this.random.below(4)}` };
  }

  /** The whole text, or a patch. */
  private body(): string {
    const [one, other] = [this.person(), this.person()];
    if (this.random.chance(0.3)) return `@@ -1,5 +1,9 @@\n  and \n+@${one} and \n`;
    if (this.random.chance(0.2)) return `@@ -1,4 +1,4 @@\n-@${one}\n+@${other}\n`;
    return `@${one} and @${other}`;
  }
}
