import { type Fault } from './fault';

/** Every connection between an instance and Redis is reset. */
export const cutRedis: Fault = {
  name: 'cut-redis',
  strikes: ({ stack }) => [
    {
      target: 'Redis',
      run: () => {
        stack.redisFront.cut();
        return Promise.resolve();
      },
    },
  ],
};
