import { type Instance } from '../instance';
import { type Fault, type FaultContext, type Injection } from './fault';

/** Faults of chat instances. */
export const instanceFaults: readonly Fault[] = [
  { name: 'kill-instance', injections: (context) => replaced(context, (instance) => instance.kill()) },
  { name: 'drain-instance', injections: (context) => replaced(context, (instance) => instance.drain()) },
  {
    // Connections stay open, and the kernel accepts new ones.
    name: 'pause-instance',
    injections: ({ stack, timing }) =>
      stack.instances.map((instance) => ({ target: instance.name, run: () => timing.pause(instance) })),
  },
];

/** Ends an instance and starts a new process later. The other instances serve its clients meanwhile. */
function replaced({ stack, timing }: FaultContext, end: (instance: Instance) => Promise<void>): Injection[] {
  return stack.instances.map((instance) => ({
    target: instance.name,
    run: async (canRecover) => {
      await end(instance);
      canRecover();
      await timing.downtime();
      await instance.start();
    },
  }));
}
