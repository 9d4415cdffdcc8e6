import { type Fault } from './fault';
import { freeze } from './freeze';

export const pausePostgres: Fault = {
  name: 'pause-postgres',
  strikes: ({ stack, pace }) => [{ target: 'PostgreSQL', run: () => freeze(stack.postgres, pace) }],
};
