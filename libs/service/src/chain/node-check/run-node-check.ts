import { checkNodes, type Probe } from '@waggle/chain';
import { hiveApiNodes } from '../../variables';
import { runMain } from '../../startup/run-main';
import { formatNodeReports, unmetNeeds } from './format-node-reports';

/**
 * Runs `check-nodes.main.js` of a service: calls what it calls of the nodes in the arguments, or in `HIVE_API_NODES`,
 * and prints the results. Changes nothing on the chain. The exit code is 1 if too few nodes serve a method, and 2 if
 * the URLs are invalid.
 */
export function runNodeCheck(service: string, probes: readonly Probe[] | (() => readonly Probe[])): void {
  runMain(async () => {
    const nodes = readNodes();
    if (nodes === undefined) {
      process.exitCode = 2;
      return;
    }
    console.log(`\n# ${service}`);
    const reports = await checkNodes(nodes, typeof probes === 'function' ? probes() : probes);
    const unmet = unmetNeeds(service, reports);
    const summary = unmet.length > 0 ? unmet : [`${service}: enough nodes serve every method.`];
    console.log([...formatNodeReports(reports), '', ...summary].join('\n'));
    process.exitCode = unmet.length > 0 ? 1 : 0;
  });
}

/** Prints the first error, without the URL, which may contain a password. */
function readNodes(): string[] | undefined {
  const given = process.argv.slice(2).map((text, index) => ({ name: `argument ${index + 1}`, text }));
  const sources = given.length > 0 ? given : [{ name: 'HIVE_API_NODES', text: process.env['HIVE_API_NODES'] ?? '' }];
  const results = sources.map(({ name, text }) => ({ name, ...hiveApiNodes.safeParse(text, { reportInput: false }) }));
  const invalid = results.find(({ success }) => !success);
  if (invalid === undefined) return results.flatMap(({ data = [] }) => data);
  console.error(`${invalid.name}: ${invalid.error?.issues[0]?.message}`);
  return undefined;
}
