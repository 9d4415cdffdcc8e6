import { type Authority, authorityOf } from './authority';
import { type Block } from './block';
import { hardforkHive } from './block-effects/hardfork-hive';
import { DevnetChain, type DevnetChainOptions, initialBlocks } from './chain';
import { newAccount } from './genesis';
import { devnetKeys, type Role } from './keys';
import { DevnetNode } from './node';
import { blockIntervalSeconds, initMiner } from './protocol';
import { secondsOf } from './time';

export interface DevnetOptions extends DevnetChainOptions {
  /** How many nodes serve the chain; default 1. */
  readonly nodes?: number;
  /** Port of the first node; default 0, any free one. The others take any free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /**
   * Makes blocks come by themselves, one each so many milliseconds; without it a block is made only when asked for.
   * With 3,000 or more the time of the blocks follows the clock, if `genesisTime` begins near it.
   */
  readonly blockIntervalMs?: number;
}

/** Public keys of an account; those left out are `devnetKeys(name)`. */
export type AccountKeys = Partial<Record<Role, string>>;

/** A chain with nodes that serve it, and a handle to change what is on it. Always `stop()` it. */
export class Devnet {
  private constructor(
    readonly chain: DevnetChain,
    readonly nodes: readonly DevnetNode[],
    private readonly ticker: NodeJS.Timeout | undefined,
  ) {}

  /** @throws Error with code `EADDRINUSE` if the port is taken. */
  static async start(options: DevnetOptions = {}): Promise<Devnet> {
    const { nodes: count = 1, port = 0, host = '127.0.0.1', blockIntervalMs } = options;
    const chain = new DevnetChain(options);
    const blocksOnDemand = blockIntervalMs === undefined;
    const nodes: DevnetNode[] = [];
    for (let i = 0; i < count; i++) {
      nodes.push(await DevnetNode.start(chain, { port: i === 0 ? port : 0, host, blocksOnDemand }));
    }
    const ticker =
      blockIntervalMs === undefined
        ? undefined
        : setInterval(() => {
            tick(chain, blockIntervalMs);
          }, blockIntervalMs);
    return new Devnet(chain, nodes, ticker);
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
    const [first] = this.nodes;
    if (!first) throw new RangeError('this devnet has no node');
    return first;
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
   * Puts a transaction with these operations into a block of its own.
   * @param operations in condenser_api's form, for example `['transfer', {from, to, amount: '1.000 HIVE', memo}]`.
   * @param wifs the private keys that sign.
   * @throws NodeError as a node would answer.
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
   * Sets a delegation, signed by the delegator, in a block of its own.
   * @param vests as condenser_api writes it, such as `5000.000000 VESTS`.
   */
  delegate(delegator: string, delegatee: string, vests: string): Block {
    const value = { delegator, delegatee, vesting_shares: vests };
    return this.include([['delegate_vesting_shares', value]], [devnetKeys(delegator).active.wif]);
  }

  /** Does to an account what hardfork 23 did to some, in a block of its own. */
  hardforkHive(account: string): Block {
    this.chain.atNextBlock(hardforkHive(account));
    return this.produceBlock();
  }

  /**
   * Gives a role of an account one new key in the place of what it had; the key counts from the returned block on.
   * @param signingWif the key that signs; default is the owner key (for `owner`) or active key the account was made with.
   */
  changeKey(account: string, role: Role, newPublicKey: string, signingWif?: string): Block {
    if (role !== 'memo') return this.setAuthority(account, role, authorityOf(newPublicKey), signingWif);
    return this.update(account, { memo_key: newPublicKey }, signingWif ?? devnetKeys(account).active.wif);
  }

  /** As `changeKey`, with a whole authority: several keys, accounts, weights. */
  setAuthority(account: string, role: Exclude<Role, 'memo'>, authority: Authority, signingWif?: string): Block {
    const keys = devnetKeys(account);
    return this.update(account, { [role]: authority }, signingWif ?? (role === 'owner' ? keys.owner : keys.active).wif);
  }

  async stop(): Promise<void> {
    clearInterval(this.ticker);
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  private update(account: string, change: object, wif: string): Block {
    const { memoKey } = this.chain.state.getAccount(account);
    return this.include([['account_update', { account, memo_key: memoKey, json_metadata: '', ...change }]], [wif]);
  }
}

/** The block that is due. After a pause (a laptop asleep) it stands in its slot by the clock, and those before it were missed. */
function tick(chain: DevnetChain, blockIntervalMs: number): void {
  if (blockIntervalMs < blockIntervalSeconds * 1000) {
    chain.produceBlock();
    return;
  }
  const slots = Math.floor((Date.now() / 1000 - secondsOf(chain.head.timestamp)) / blockIntervalSeconds);
  if (slots >= 1) chain.produceBlock(slots - 1);
}

/** The `genesisTime` with which the head of a new chain stands at this moment. */
export function recentGenesisTime(reversibleBlocks = 1): number {
  const slot = Math.floor(Date.now() / 1000 / blockIntervalSeconds);
  return (slot - initialBlocks(reversibleBlocks)) * blockIntervalSeconds;
}
