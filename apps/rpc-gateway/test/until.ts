import { setTimeout } from 'node:timers/promises';

/** Waits until the condition holds; Jest's limit ends a wait for what never comes. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await setTimeout(10);
}
