import { checkNodes, type Probe } from '@waggle/chain';
import { z } from 'zod';
import { hiveApiNodes, loadConfiguration } from '../../configuration';
import { runMain } from '../../run-main';
import { formatNodeReports, unmetNeeds } from './format-node-reports';

/**
 * Runs `check-nodes.main.js` of a service: calls what it calls of the nodes in the arguments, or in `HIVE_API_NODES`, and prints the
 * results. Changes nothing on the chain. The exit code is 1 if too few nodes serve a method.
 */
export function runNodeCheck(service: string, probes: readonly Probe[]): void {
  runMain(async () => {
    const urls = process.argv.slice(2).join(',') || process.env['HIVE_API_NODES'];
    const environment = { HIVE_API_NODES: urls };
    const { HIVE_API_NODES: nodes } = loadConfiguration(z.object({ HIVE_API_NODES: hiveApiNodes }), environment);
    const reports = await checkNodes(nodes, probes);
    const unmet = unmetNeeds(service, reports);
    const summary = unmet.length > 0 ? unmet : [`${service}: enough nodes serve every method.`];
    console.log([...formatNodeReports(reports), '', ...summary].join('\n'));
    process.exitCode = unmet.length > 0 ? 1 : 0;
  });
}
