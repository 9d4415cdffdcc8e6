import { type Fault } from './fault';
import { freeze } from './freeze';

export const pauseRedis: Fault = {
  name: 'pause-redis',
  strikes: ({ stack, pace }) => [{ target: 'Redis', run: () => freeze(stack.redis, pace) }],
};
