import { type Fault } from './fault';
import { freeze } from './freeze';

/** An instance hangs: its connections stay open, and new ones are taken by the system. */
export const pauseInstance: Fault = {
  name: 'pause-instance',
  strikes: ({ stack, pace }) =>
    stack.instances.map((instance) => ({ target: instance.name, run: () => freeze(instance, pace) })),
};
