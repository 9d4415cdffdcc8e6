import { type Fault } from './fault';

/** Every connection between an instance and a Redis server is reset. */
export const cutRedis: Fault = {
  name: 'cut-redis',
  strikes: ({ stack }) =>
    stack.redis.map(({ name, front }) => ({
      target: name,
      run: () => {
        front.cut();
        return Promise.resolve();
      },
    })),
};
