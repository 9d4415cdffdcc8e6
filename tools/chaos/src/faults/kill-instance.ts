import { type Fault } from './fault';

/** SIGKILL, and after a while another process in its place. */
export const killInstance: Fault = {
  name: 'kill-instance',
  strikes: ({ stack, pace }) =>
    stack.instances.map((instance) => ({
      target: instance.name,
      run: async (othersTakeOver) => {
        await instance.kill();
        othersTakeOver();
        await pace.away();
        await instance.start();
      },
    })),
};
