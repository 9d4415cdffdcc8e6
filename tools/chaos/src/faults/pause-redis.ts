import { type Fault } from './fault';
import { freeze } from './freeze';

export const pauseRedis: Fault = {
  name: 'pause-redis',
  strikes: ({ stack, pace }) =>
    stack.redis.map(({ name, server }) => ({ target: name, run: () => freeze(server, pace) })),
};
