import { type Fault } from './fault';

/** SIGKILL; it comes back empty. */
export const killRedis: Fault = {
  name: 'kill-redis',
  strikes: ({ stack, pace }) =>
    stack.redis.map(({ name, server }) => ({
      target: name,
      run: async () => {
        await server.kill();
        await pace.away();
        await server.start();
      },
    })),
};
