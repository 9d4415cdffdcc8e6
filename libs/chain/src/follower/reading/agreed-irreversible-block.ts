import { blockRangeMethod, blockRangeQuery } from '../../api/block-api';
import { dynamicGlobalProperties, type DynamicGlobalProperties, headMethod } from '../../api/database-api';
import { HiveNodesUnavailableError } from '../../node/errors';
import { type HiveNodes, type NodeResult } from '../../node/hive-nodes';
import { untilStored } from './storage-delay';
import { blockIdentity } from './verified-blocks';

/** The head of the chain and the last irreversible block. */
export interface HeadBlocks {
  /** The head of the node whose irreversible block was chosen. */
  readonly headBlock: number;
  readonly irreversibleBlock: number;
}

/**
 * The largest distance, in blocks, that is plausible between a head and its last irreversible block, and between the
 * irreversible blocks of two synchronized nodes. Hive confirms a block after 1 block, and after 21 without fast
 * confirmation.
 */
const maxDistance = 60;

/**
 * A node whose head is older than this, in milliseconds, lags (20 missed blocks); a head so far in the future is
 * invented.
 */
const maxAgeMs = 60_000;

type Claim = NodeResult<DynamicGlobalProperties>;

/**
 * Chooses the last irreversible block from what the nodes claim:
 * - Heads more than a minute ahead of this clock are ignored. Heads more than a minute old are ignored unless most of
 *   the remaining heads are.
 * - If two claims remain and the irreversible block of one is implausibly far below its own head, that one is ignored;
 *   if both are, neither is.
 * - Of three or more claims the lower median counts, so that a minority can neither raise nor lower it.
 * - Of two the lower one counts. If they are far apart, the higher one counts if both nodes have that block.
 * - A single claim counts once a node has that block.
 */
export class AgreedIrreversibleBlock {
  /** By node: the block that it last called irreversible, Infinity if its head was ignored as too old. */
  private claimed: ReadonlyMap<string, number> = new Map();
  /** The highest block of a single claim that a node was seen to have. */
  private storedBlock = 0;

  /** @param now milliseconds since 1970; only tests need another clock than `Date.now`. */
  constructor(
    private readonly api: HiveNodes,
    private readonly options: { readonly storageDelayMs: number },
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Whether the lack of the block at this node counts as a vote against the block. True unless the node's head was
   * ignored as too old at the last `find`, or the node itself called the block irreversible.
   */
  isVoteAgainst(node: string, block: number): boolean {
    return block > (this.claimed.get(node) ?? 0);
  }

  /** @throws HiveNodesUnavailableError if no node makes a credible claim */
  async find(): Promise<HeadBlocks> {
    const claims = await this.api.callWorkingNodes(headMethod, {}, dynamicGlobalProperties);
    const credible = this.withoutFuture(claims);
    const synchronized = this.withoutLagging(credible);
    this.claimed = new Map(
      credible.map((claim) => [
        claim.node,
        synchronized.includes(claim) ? claim.value.lastIrreversibleBlockNumber : Infinity,
      ]),
    );
    const chosen = await this.choose(withoutImplausible(synchronized));
    return { headBlock: chosen.headBlockNumber, irreversibleBlock: chosen.lastIrreversibleBlockNumber };
  }

  private withoutFuture(claims: readonly Claim[]): readonly Claim[] {
    const latestMs = this.now() + maxAgeMs;
    const credible = claims.filter(({ value }) => value.time.getTime() <= latestMs);
    if (credible.length > 0) return credible;
    throw new HiveNodesUnavailableError(
      headMethod,
      claims.map(({ node, value }) => ({
        node,
        kind: 'contradiction',
        detail: `block ${value.headBlockNumber} is of ${value.time.toISOString()}, which is in the future`,
      })),
    );
  }

  private withoutLagging(claims: readonly Claim[]): readonly Claim[] {
    const oldestMs = this.now() - maxAgeMs;
    const isRecent = ({ value }: Claim): boolean => value.time.getTime() >= oldestMs;
    const recent = claims.filter(isRecent);
    // On a stopped chain, and on a test chain, true heads are old: a minority that claims a recent one does not count
    // more.
    return recent.length > 0 && recent.length >= claims.length / 2 ? recent : claims;
  }

  private async choose(claims: readonly Claim[]): Promise<DynamicGlobalProperties> {
    const sorted = claims
      .map(({ value }) => value)
      .sort((one, other) => one.lastIrreversibleBlockNumber - other.lastIrreversibleBlockNumber);
    const lowerMedian = sorted[Math.floor((sorted.length - 1) / 2)];
    const highest = sorted.at(-1);
    if (lowerMedian === undefined || highest === undefined) throw new HiveNodesUnavailableError(headMethod, []);
    const { lastIrreversibleBlockNumber: highestNumber } = highest;
    if (sorted.length === 1) await this.waitForBlock(highestNumber);
    const areFarApart = highestNumber - lowerMedian.lastIrreversibleBlockNumber > maxDistance;
    const isHighestChosen = sorted.length === 2 && areFarApart && (await this.haveAllBlock(highestNumber));
    return isHighestChosen ? highest : lowerMedian;
  }

  /** Whether at least two nodes respond, and all of them have the same block with this number. */
  private async haveAllBlock(number: number): Promise<boolean> {
    const identities = await this.readIdentities(number);
    const [first] = identities;
    return identities.length > 1 && identities.every(({ value }) => value !== undefined && value === first?.value);
  }

  /** Waits until a node has the block that one called irreversible. @throws HiveNodesUnavailableError if none does */
  private async waitForBlock(number: number): Promise<void> {
    if (number <= this.storedBlock) return;
    await untilStored(this.options.storageDelayMs, async ({ missing: kind }) => {
      const identities = await this.readIdentities(number);
      if (identities.some(({ value }) => value !== undefined)) return;
      const detail = `no block ${number}, which it calls irreversible`;
      throw new HiveNodesUnavailableError(
        blockRangeMethod,
        identities.map(({ node }) => ({ node, kind, detail })),
      );
    });
    this.storedBlock = number;
  }

  private readIdentities(number: number): Promise<readonly NodeResult<string | undefined>[]> {
    const params = blockRangeQuery(number, 1);
    return this.api.callWorkingNodes(
      blockRangeMethod,
      params,
      blockIdentity(number, { mustBeHash: false }),
      'comparison',
    );
  }
}

/**
 * Ignores one of two claims whose irreversible block is implausibly far below its head. If the chain stops confirming
 * blocks, honest claims look implausible too; of three or more claims the median decides.
 */
function withoutImplausible(claims: readonly Claim[]): readonly Claim[] {
  if (claims.length !== 2) return claims;
  const plausible = claims.filter(({ value }) => distanceOf(value) <= maxDistance);
  return plausible.length > 0 ? plausible : claims;
}

function distanceOf({ headBlockNumber, lastIrreversibleBlockNumber }: DynamicGlobalProperties): number {
  return headBlockNumber - lastIrreversibleBlockNumber;
}
