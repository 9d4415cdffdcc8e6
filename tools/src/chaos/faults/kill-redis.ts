import { type Fault } from './fault';

/** SIGKILL; it comes back empty. */
export const killRedis: Fault = {
  name: 'kill-redis',
  strikes: ({ stack, pace }) => [
    {
      target: 'Redis',
      run: async () => {
        await stack.redis.kill();
        await pace.away();
        await stack.redis.start();
      },
    },
  ],
};
