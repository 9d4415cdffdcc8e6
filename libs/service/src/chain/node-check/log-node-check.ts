import { checkNodes, type NodeReport, type Probe } from '@waggle/chain';
import { type Logger } from '../../observability/logging';
import { unmetNeeds } from './format-node-reports';

/**
 * Calls in the background what a process calls of its nodes, and logs a line for each node: an operator sees which one
 * differs from what Waggle expects before a user does. Call it once per process, when it listens. It ends within a
 * minute, and never rejects: the service works with the nodes that respond.
 *
 * @param service its name in the log line about methods that too few nodes serve
 */
export async function logNodeCheck(
  service: string,
  urls: readonly string[],
  probes: readonly Probe[],
  logger: Logger,
): Promise<void> {
  try {
    const reports = await checkNodes(urls, probes);
    for (const report of reports) logger.info(fieldsOf(report), 'Hive node checked');
    const unmet = unmetNeeds(service, reports);
    if (unmet.length > 0) logger.info({ unmet }, 'too few Hive nodes serve a method that this service calls');
  } catch (err) {
    logger.warn({ err }, 'the Hive nodes could not be checked');
  }
}

function fieldsOf({ node, version, head, lagMs, behindBlocks, methods }: NodeReport): object {
  const texts = methods.map(({ probe, verdict, detail, ms }) => {
    const time = ms === undefined ? '' : ` ${Math.round(ms)} ms`;
    const text = `${verdict}${time}${detail === undefined ? '' : `: ${detail}`}`;
    return [`${probe.method} (${probe.purpose})`, text] as const;
  });
  return {
    node,
    version,
    headBlock: head?.block,
    irreversibleBlock: head?.irreversibleBlock,
    lagSeconds: lagMs === undefined ? undefined : Math.round(lagMs / 1_000),
    behindBlocks,
    methods: Object.fromEntries(texts),
  };
}
