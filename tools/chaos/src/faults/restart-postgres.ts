import { type Fault } from './fault';

/** A fast shutdown, which ends what runs in it, and a start. */
export const restartPostgres: Fault = {
  name: 'restart-postgres',
  strikes: ({ stack }) => [{ target: 'PostgreSQL', run: () => stack.postgres.restart() }],
};
