import { type RedisNode } from '../redis-node';
import { type Fault, type FaultContext, type Injection } from './fault';

/** Faults of one Redis server. */
export const redisFaults: readonly Fault[] = [
  {
    // The server comes back empty.
    name: 'kill-redis',
    injections: (context) =>
      onEach(context, async ({ server }) => {
        await server.kill();
        await context.timing.downtime();
        await server.start();
      }),
  },
  { name: 'pause-redis', injections: (context) => onEach(context, ({ server }) => context.timing.pause(server)) },
  {
    name: 'cut-redis',
    injections: (context) =>
      onEach(context, ({ proxy }) => {
        proxy.cut();
      }),
  },
];

function onEach({ stack }: FaultContext, inject: (node: RedisNode) => Promise<void> | void): Injection[] {
  return stack.redis.map((node) => ({
    target: node.name,
    run: async () => {
      await inject(node);
    },
  }));
}
