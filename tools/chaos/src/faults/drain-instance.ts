import { type Fault } from './fault';

/** SIGTERM, as at each new version, and another process in its place. */
export const drainInstance: Fault = {
  name: 'drain-instance',
  strikes: ({ stack, pace }) =>
    stack.instances.map((instance) => ({
      target: instance.name,
      run: async (othersTakeOver) => {
        await instance.drain();
        othersTakeOver();
        await pace.away();
        await instance.start();
      },
    })),
};
