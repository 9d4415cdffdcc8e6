import { getDynamicGlobalProperties, type HiveApi } from '@waggle/chain';
import { type Logger } from '../observability/logging';
import { AwaitedDependency } from '../observability/awaited-dependency';

/**
 * Waits in the background until a Hive node responds once. A service that verifies signatures serves meanwhile, so that
 * existing sessions work, and is not ready. Later failures do not make it unready: most requests need no node, and all
 * instances share the nodes.
 */
export function awaitHiveNode(hive: HiveApi, logger: Logger): AwaitedDependency {
  const node = new AwaitedDependency({ name: 'hive', check: () => getDynamicGlobalProperties(hive) }, logger);
  void node.wait();
  return node;
}
