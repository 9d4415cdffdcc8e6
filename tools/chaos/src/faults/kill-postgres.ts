import { type Fault } from './fault';

/** SIGKILL of the server and its processes; it recovers from its log. */
export const killPostgres: Fault = {
  name: 'kill-postgres',
  strikes: ({ stack, pace }) => [
    {
      target: 'PostgreSQL',
      run: async () => {
        await stack.postgres.kill();
        await pace.away();
        await stack.postgres.start();
      },
    },
  ],
};
