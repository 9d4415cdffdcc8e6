import { hardforkHive } from './chain/block-effects';
import { type Authority, authorityOf } from './state/authority';
import { type NodeKind } from './api';
import { type Block } from './chain/block';
import { DevnetChain, type DevnetChainOptions } from './chain/chain';
import { type PostName } from './state/comments';
import { newAccount } from './chain/genesis';
import { devnetKeys, type Role } from './keys';
import { produceLive } from './chain/live-blocks';
import { DevnetNode } from './node/node';
import { initMiner } from './protocol';
import { type SoftwareName } from './software';
import { fullWeight } from './state/votes';

export interface DevnetOptions extends DevnetChainOptions {
  /** Number of nodes that serve the chain, or the software of each; default one of `hived`. */
  readonly nodes?: number | readonly SoftwareName[];
  /** Number of social gateways of the same chain; default none. */
  readonly gateways?: number;
  /** Which APIs the nodes serve; default `node` (hived). `public`: also the APIs of a social gateway (hivemind). */
  readonly nodeKind?: NodeKind;
  /** Port of the first node, the others have the next ones; default free ones. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /**
   * Interval of blocks in milliseconds. Without it, blocks are produced only on request. With 3,000 (Hive's interval)
   * or more, the times of the blocks follow the clock, unless `genesisTime` is in the future.
   */
  readonly blockIntervalMs?: number;
}

/** Public keys of an account. Roles that are left out have the keys of `devnetKeys(name)`. */
export type AccountKeys = Partial<Record<Role, string>>;

/** The content of a post, with the fields of its operation; `parent_permlink` is its category. */
export interface PostFields {
  readonly parent_permlink: string;
  readonly title: string;
  readonly body: string;
  readonly json_metadata: string;
}

/** A chain with nodes that serve it, and methods that change it. Always `stop()` it. */
export class Devnet {
  private constructor(
    readonly chain: DevnetChain,
    readonly nodes: readonly DevnetNode[],
    /**
     * Social gateways: they serve `bridge` and other methods that nodes do not have, each with its own faults and
     * counts.
     */
    readonly gateways: readonly DevnetNode[],
    private readonly ticker: NodeJS.Timeout | undefined,
  ) {}

  /** @throws Error with code `EADDRINUSE` if the port is taken. */
  static async start(options: DevnetOptions = {}): Promise<Devnet> {
    const { nodes: requested = 1, port, host = '127.0.0.1', blockIntervalMs, nodeKind = 'node' } = options;
    const softwareOfNodes = typeof requested === 'number' ? Array<'hived'>(requested).fill('hived') : requested;
    const chain = new DevnetChain(options);
    const blocksOnDemand = blockIntervalMs === undefined;
    const nodes = await DevnetNode.startAll(chain, softwareOfNodes, { port, host, blocksOnDemand, nodeKind });
    const gateways: DevnetNode[] = [];
    for (let i = 0; i < (options.gateways ?? 0); i++) {
      gateways.push(await DevnetNode.start(chain, { host, nodeKind: 'gateway' }));
    }
    return new Devnet(chain, nodes, gateways, blocksOnDemand ? undefined : produceLive(chain, blockIntervalMs));
  }

  /** URL of the first node. */
  get url(): string {
    return this.node.url;
  }

  get urls(): readonly string[] {
    return this.nodes.map(({ url }) => url);
  }

  /** The first node. */
  get node(): DevnetNode {
    return firstOf(this.nodes, 'node');
  }

  /** The first social gateway. */
  get gateway(): DevnetNode {
    return firstOf(this.gateways, 'gateway');
  }

  /** Number of broadcasts that the nodes received, together. */
  get broadcasts(): number {
    return this.nodes.reduce((sum, node) => sum + node.broadcasts, 0);
  }

  produceBlock(): Block {
    return this.chain.produceBlock();
  }

  produceBlocks(count: number): Block[] {
    return this.chain.produceBlocks(count);
  }

  /** Makes the blocks up to this one irreversible; default the head. */
  makeIrreversible(number?: number): void {
    this.chain.makeIrreversible(number);
  }

  /**
   * Adds a transaction, and produces a block with all pending ones.
   * @param operations in condenser_api's form, for example `['transfer', {from, to, amount: '1.000 HIVE', memo}]`.
   * @param wifs the private keys that sign.
   * @throws NodeError with the error of a node.
   */
  include(operations: readonly [name: string, value: object][], wifs: readonly string[]): Block {
    this.chain.include(operations, wifs);
    return this.produceBlock();
  }

  /** Creates an account, paid by initminer. @returns the block that holds it. */
  createAccount(name: string, keys: AccountKeys = {}): Block {
    return this.include([['account_create', newAccount(name, keys)]], [devnetKeys(initMiner).active.wif]);
  }

  /**
   * Sets a delegation, signed by the delegator, in a separate block.
   * @param vests as condenser_api writes it, such as `5000.000000 VESTS`.
   */
  delegate(delegator: string, delegatee: string, vests: string): Block {
    const value = { delegator, delegatee, vesting_shares: vests };
    return this.include([['delegate_vesting_shares', value]], [devnetKeys(delegator).active.wif]);
  }

  /** Writes a post, signed by its author, in a separate block. `fields` are fields of the operation. */
  post(author: string, permlink: string, fields: Partial<PostFields> = {}): Block {
    return this.write(author, permlink, { parent_author: '', parent_permlink: 'devnet', ...fields });
  }

  /** Writes a reply to a post or a reply, in a separate block. */
  reply(author: string, permlink: string, to: PostName, fields: Partial<PostFields> = {}): Block {
    return this.write(author, permlink, { parent_author: to.author, parent_permlink: to.permlink, ...fields });
  }

  /**
   * Votes, in a separate block.
   * @param weight hundredths of a percent; negative for a downvote.
   */
  vote(voter: string, { author, permlink }: PostName, weight = fullWeight): Block {
    return this.include([['vote', { voter, author, permlink, weight }]], [devnetKeys(voter).posting.wif]);
  }

  /** Puts a custom_json into a separate block, signed with the posting key, such as `'follow', ['follow', {…}]`. */
  customJson(account: string, id: string, json: unknown): Block {
    const value = { required_auths: [], required_posting_auths: [account], id, json: JSON.stringify(json) };
    return this.include([['custom_json', value]], [devnetKeys(account).posting.wif]);
  }

  /** Removes the funds and delegations of an account, as hardfork 23 did, in a separate block. */
  hardforkHive(account: string): Block {
    this.chain.atNextBlock(hardforkHive(account));
    return this.produceBlock();
  }

  /**
   * Replaces the keys of a role by a new one, from the returned block on.
   * @param signingWif the key that signs; by default the owner key (for `owner`) or active key the account was made
   * with.
   */
  changeKey(account: string, role: Role, newPublicKey: string, signingWif?: string): Block {
    if (role !== 'memo') return this.setAuthority(account, role, authorityOf(newPublicKey), signingWif);
    return this.update(account, { memo_key: newPublicKey }, signingWif ?? devnetKeys(account).active.wif);
  }

  /** Does the same as `changeKey` with a whole authority: several keys, accounts, weights. */
  setAuthority(account: string, role: Exclude<Role, 'memo'>, authority: Authority, signingWif?: string): Block {
    const keys = devnetKeys(account);
    return this.update(account, { [role]: authority }, signingWif ?? (role === 'owner' ? keys.owner : keys.active).wif);
  }

  async stop(): Promise<void> {
    clearInterval(this.ticker);
    await Promise.all([...this.nodes, ...this.gateways].map((node) => node.stop()));
  }

  private write(author: string, permlink: string, fields: object): Block {
    const value = { author, permlink, title: permlink, body: `The body of ${permlink}.`, json_metadata: '', ...fields };
    return this.include([['comment', value]], [devnetKeys(author).posting.wif]);
  }

  private update(account: string, change: object, wif: string): Block {
    const { memoKey } = this.chain.state.getAccount(account);
    return this.include([['account_update', { account, memo_key: memoKey, json_metadata: '', ...change }]], [wif]);
  }
}

function firstOf(nodes: readonly DevnetNode[], what: string): DevnetNode {
  const [first] = nodes;
  if (!first) throw new RangeError(`this devnet has no ${what}`);
  return first;
}
