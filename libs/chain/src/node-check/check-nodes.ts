import { z } from 'zod';
import { getDynamicGlobalProperties, headMethod, nodeVersion, versionMethod } from '../api/database-api';
import { OperationFormatError } from '../follower/errors';
import { readPauses } from '../node/health/circuit-breaker';
import { HiveNodesUnavailableError, HiveRpcError } from '../node/errors';
import { compareHeads, type HeadPosition } from '../node/health/head-comparison';
import { HiveNode, type NodeHead } from '../node/hive-node';
import { kindOfRpcError } from '../node/kind-of-rpc-error';
import { NodeHealth } from '../node/health/node-health';
import { parseNodeUrls, settingsOf } from '../node/options';
import { recordOwnCalls } from '../node/record-reply';
import { CheckedNode, type TimeLimits } from './checked-node';
import { differs, type Finding, type Probe, unknown, works } from './probe';

/** A probe without `run`: the head of a node is reported too, and has none. */
export type ReportedProbe = Omit<Probe, 'run'>;

export interface MethodReport {
  readonly probe: ReportedProbe;
  /** How the node serves the method. */
  readonly verdict: Finding['verdict'] | 'fails';
  /** How it differs or fails. Printable ASCII. */
  readonly detail: string | undefined;
  /** Duration of the call; undefined if none was made. */
  readonly ms: number | undefined;
}

type ReportedFinding = Pick<MethodReport, 'verdict' | 'detail'>;

/** What the calls of one node show. */
export interface NodeReport {
  /** Host and port. */
  readonly node: string;
  /** The version of hived, as the node reports it. */
  readonly version: string | undefined;
  /** The head of the node; undefined if it could not be read. Then methods that need it are not called. */
  readonly head: NodeHead | undefined;
  /** The age of the head block by the clock of this machine. */
  readonly lagMs: number | undefined;
  /** Behind the highest head of the nodes, without those that are ahead of the chain; negative for these. */
  readonly behindBlocks: number | undefined;
  /** The head first, then in the order of the probes. */
  readonly methods: readonly MethodReport[];
}

export interface CheckOptions {
  /** Time limit of a call; default 15,000, as for the indexers. */
  readonly timeoutMs?: number;
  /** Time after which no further calls are made, and those in flight end; default 45,000. */
  readonly limitMs?: number;
}

/** Calls to a node at the same time: public nodes limit the rate of calls. */
const callsAtOnce = 2;

/** Maximum length of a node's text in the report. */
const maxTextLength = 160;
/** Maximum length of a version: its column in a table should stay narrow. */
const maxVersionLength = 20;

/** Older heads are reported: the chain stands still, the node does, or the clock of this machine is wrong. */
const maxHeadAgeMs = 60_000;

const noHead = 'the node does not report its head';

/**
 * Calls each method of each node. Never rejects because of a node.
 *
 * @throws RangeError if a URL is neither http nor https
 */
export async function checkNodes(
  urls: readonly string[],
  probes: readonly Probe[],
  { timeoutMs = 15_000, limitMs = 45_000 }: CheckOptions = {},
): Promise<NodeReport[]> {
  const { maxQueued, maxResponseBytes, maxLagBlocks } = settingsOf({ urls });
  const options = { connections: callsAtOnce, maxQueued, maxResponseBytes, recordReply: recordOwnCalls(0) };
  const health = { pauses: readPauses, now: () => performance.now() };
  const nodes = parseNodeUrls(urls).map((url) => new HiveNode(url, options, new NodeHealth(url.host, health)));
  const endMs = performance.now() + limitMs;
  const startedMs = Date.now();
  try {
    const reports = await Promise.all(nodes.map((node) => checkNode(node, probes, { timeoutMs, endMs })));
    return withLag(reports, maxLagBlocks, startedMs);
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
  }
}

async function checkNode(node: HiveNode, probes: readonly Probe[], limits: TimeLimits): Promise<NodeReport> {
  const checked = new CheckedNode(node, limits);
  const [{ head, finding }, version] = await Promise.all([readHead(checked), readVersion(checked)]);
  const headReport = { probe: headProbe(probes), ms: checked.msOf(headMethod), ...finding };
  const lagMs = head === undefined ? undefined : Date.now() - head.timeMs;
  // A node that lacks this method may have others.
  const isUsable = finding.verdict !== 'fails';
  const methods = probes.map((probe): MethodReport => {
    const reason = isUsable ? 'the check took too long' : noHead;
    return { probe, verdict: 'fails', detail: `not called: ${reason}`, ms: undefined };
  });
  const waiting = isUsable ? [...probes.entries()] : [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, probe] = next;
      if (performance.now() >= limits.endMs) return;
      // One for each probe, because probes of the same method are timed separately.
      methods[index] = await checkMethod(probe, head, new CheckedNode(node, limits));
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, work));
  return { node: node.name, version, head, lagMs, behindBlocks: undefined, methods: [headReport, ...methods] };
}

/** Returns the probe of the head, which every service reads from each node to prefer the nodes that do not lag. */
function headProbe(probes: readonly Probe[]): ReportedProbe {
  return {
    method: headMethod,
    purpose: 'head of the chain',
    requiredNodes: probes.some(({ needsHead }) => needsHead) ? 'one' : 'none',
    consequence: 'nodes that lag are not recognized',
  };
}

async function checkMethod(probe: Probe, head: NodeHead | undefined, node: CheckedNode): Promise<MethodReport> {
  const { verdict, detail } = await run(probe, head, node).catch(findingOf);
  return { probe, verdict, detail, ms: node.msOf(probe.method) };
}

async function run(probe: Probe, head: NodeHead | undefined, node: CheckedNode): Promise<Finding> {
  if (probe.needsHead !== true) return probe.run(node);
  return head === undefined ? unknown(noHead) : probe.run(node, head);
}

async function readHead(node: CheckedNode): Promise<{ head: NodeHead | undefined; finding: ReportedFinding }> {
  try {
    const {
      headBlockNumber: block,
      lastIrreversibleBlockNumber: irreversibleBlock,
      time,
    } = await getDynamicGlobalProperties(node);
    const head = { block, irreversibleBlock, timeMs: time.getTime() };
    return { head, finding: { verdict: 'works', detail: undefined } };
  } catch (error) {
    return { head: undefined, finding: findingOf(error) };
  }
}

/** Reads the version of a node for the report. If that fails, it says nothing about the services. */
async function readVersion(node: CheckedNode): Promise<string | undefined> {
  try {
    const { blockchain_version: version } = await node.call(versionMethod, {}, nodeVersion);
    return version === undefined ? undefined : printable(version).slice(0, maxVersionLength);
  } catch {
    return undefined;
  }
}

/** Compares the heads of the nodes as `HiveClient` does. */
function withLag(reports: readonly NodeReport[], maxLagBlocks: number, nowMs: number): NodeReport[] {
  const heads = reports.flatMap(({ head }) => head ?? []);
  const positions = compareHeads(heads, maxLagBlocks, nowMs);
  const positionOf = new Map(heads.map((head, index) => [head, positions[index]]));
  const best = Math.max(...heads.filter((head) => positionOf.get(head) !== 'ahead').map(({ block }) => block));
  return reports.map((report) => {
    const {
      head,
      lagMs = 0,
      methods: [headReport, ...methods],
    } = report;
    if (head === undefined || headReport === undefined) return report;
    const behindBlocks = best - head.block;
    const finding = headFinding(positionOf.get(head), behindBlocks, lagMs);
    return { ...report, behindBlocks, methods: [{ ...headReport, ...finding }, ...methods] };
  });
}

function headFinding(position: HeadPosition | undefined, behindBlocks: number, lagMs: number): Finding {
  const consequence = 'and called only if no other responds';
  if (position === 'ahead') return differs(`ahead of the other nodes or of the clock, ${consequence}`);
  if (position === 'lagging') return differs(`${behindBlocks} blocks behind the best node, ${consequence}`);
  return lagMs > maxHeadAgeMs ? differs(`its head is ${Math.round(lagMs / 1_000)} s old`) : works;
}

/** What an error of a probe says about the node. */
function findingOf(error: unknown): ReportedFinding {
  if (error instanceof HiveRpcError) {
    const { code, rpcMessage: message } = error;
    // The text of a node that lacks a method says nothing more.
    if (kindOfRpcError({ code, message }) === 'not-served') return { verdict: 'not-served', detail: undefined };
    return { verdict: 'fails', detail: printable(`${code} ${message}`) };
  }
  return { verdict: 'fails', detail: printable(reasonOf(error)) };
}

function reasonOf(error: unknown): string {
  if (error instanceof HiveNodesUnavailableError) {
    const [failure] = error.failures;
    return failure?.detail === undefined ? (failure?.kind ?? 'no result') : `${failure.kind} (${failure.detail})`;
  }
  if (error instanceof OperationFormatError) {
    const { block, operation } = error.position;
    const field = error.cause instanceof z.ZodError ? error.cause.issues[0]?.path.join('.') : undefined;
    return `${operation.type} of block ${block.number} has no ${field ?? 'value'} that can be decoded`;
  }
  return String(error);
}

/** A text of a node could contain control sequences of a terminal. */
function printable(text: string): string {
  const line = text.replaceAll(/[^ -~]+/g, ' ');
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength)}...` : line;
}
