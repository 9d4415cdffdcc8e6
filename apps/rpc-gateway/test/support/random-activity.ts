import { type Devnet, devnetKeys, seedAccounts } from '@waggle/devnet';
import { type Random } from '@waggle/testing';

type ChainOperation = [name: string, value: object];

const communities = ['hive-100001', 'hive-200001', 'hive-300001'] as const;
const followActions = ['blog', 'blog', 'ignore', '', 'blacklist', 'follow_muted', 'reset_all_lists'] as const;
const roles = ['muted', 'guest', 'member', 'mod', 'admin'] as const;
const blockIntervalMs = 3_000;
/** The longest pause between two blocks, which is seven weeks. */
const maxMissedSlots = 1_500_000;

/** Creates random posts, votes, follows and community actions on a devnet, one or more operations per block. */
export class RandomActivity {
  private readonly links: { author: string; permlink: string }[] = [];

  constructor(
    private readonly devnet: Devnet,
    private readonly random: Random,
  ) {}

  /** How many posts there are; their permlinks are `p-0`, `p-1`, … */
  get postCount(): number {
    return this.links.length;
  }

  /** Creates the communities. */
  createCommunities(): void {
    for (const name of communities) this.devnet.createAccount(name);
  }

  /** Produces blocks. @param maxPauses how many of them may come weeks after the previous one */
  produceBlocks(blocks: number, maxPauses = Infinity): void {
    let pauses = 0;
    for (let made = 0; made < blocks; made += 1) {
      for (let left = this.random.below(4); left > 0; left -= 1) this.operate();
      // Occasionally weeks pass, so that posts are paid and notifications are pruned.
      const isPause = this.random.chance(0.02) && pauses < maxPauses && this.isPausePossible;
      if (isPause) pauses += 1;
      this.devnet.chain.produceBlock(isPause ? this.random.below(maxMissedSlots) : 0);
    }
  }

  /** Whether the longest pause would end before now. Followers reject blocks of the future. */
  private get isPausePossible(): boolean {
    const headMs = Date.parse(`${this.devnet.chain.head.timestamp}Z`);
    return headMs + maxMissedSlots * blockIntervalMs < Date.now();
  }

  private operate() {
    const who = this.random.pick(seedAccounts);
    const kinds = [
      () => {
        this.write(who);
      },
      () => {
        this.write(who);
      },
      () => {
        this.vote(who);
      },
      () => {
        this.follow(who);
      },
      () => {
        this.reblog(who);
      },
      () => {
        this.act(who);
      },
      () => {
        this.act(this.random.pick(communities));
      },
    ];
    this.random.pick(kinds)();
  }

  private write(author: string) {
    const { random, links } = this;
    const isNew = links.length === 0 || random.chance(0.6);
    const permlink = `p-${links.length}`;
    const parent = links.length > 0 && random.chance(0.6) ? random.pick(links) : undefined;
    const own = links.find((link) => link.author === author);
    const body = `@${random.pick(seedAccounts)} and @${random.pick(seedAccounts)}`;
    const value = {
      parent_author: parent?.author ?? '',
      parent_permlink: parent?.permlink ?? random.pick([...communities, 'bees']),
      title: '',
      body,
      json_metadata: '',
    };
    if (isNew) {
      if (this.include(author, ['comment', { ...value, author, permlink }])) links.push({ author, permlink });
    } else if (own && random.chance(0.3)) this.include(author, ['delete_comment', own]);
    else if (own) this.include(author, ['comment', { ...value, ...own }]);
  }

  private vote(voter: string) {
    if (this.links.length === 0) return;
    const weight = this.random.pick([10_000, 5_000, 100, -10_000]);
    this.include(voter, ['vote', { voter, ...this.random.pick(this.links), weight }]);
  }

  private follow(follower: string) {
    const what = [this.random.pick(followActions)];
    this.custom(follower, 'follow', ['follow', { follower, following: this.random.pick(seedAccounts), what }]);
  }

  private reblog(account: string) {
    if (this.links.length > 0) this.custom(account, 'follow', ['reblog', { account, ...this.random.pick(this.links) }]);
  }

  private act(signer: string) {
    const { random } = this;
    const community = communities.find((name) => name === signer) ?? random.pick(communities);
    const { author, permlink } =
      this.links.length > 0 ? random.pick(this.links) : { author: 'alice', permlink: 'none' };
    const [action, payload] = random.pick<[string, object]>([
      ['subscribe', {}],
      ['unsubscribe', {}],
      ['setRole', { account: random.pick(seedAccounts), role: random.pick(roles) }],
      ['updateProps', { props: { title: `Title ${random.below(9)}` } }],
      ['mutePost', { account: author, permlink, notes: 'x' }],
      ['flagPost', { account: author, permlink, notes: 'x' }],
      ['pinPost', { account: author, permlink }],
    ]);
    this.custom(signer, 'community', [action, { community, ...payload }]);
  }

  private custom(signer: string, id: string, json: unknown) {
    const value = { required_auths: [], required_posting_auths: [signer], id, json: JSON.stringify(json) };
    this.include(signer, ['custom_json', value]);
  }

  /** @returns whether the chain accepts it; many operations violate the rules of posts and votes */
  private include(signer: string, operation: ChainOperation): boolean {
    try {
      this.devnet.chain.include([operation], [devnetKeys(signer).posting.wif]);
      return true;
    } catch (error) {
      if (error instanceof Error && error.name === 'NodeError') return false;
      throw error;
    }
  }
}
