import { setTimeout } from 'node:timers/promises';
import { type OwnProcess } from '@waggle/running';
import { residentBytes } from '@waggle/testing';
import { collectedLine } from './collected-line';

/** How often, and how long, the memory is looked at until it has settled. */
const lookEveryMs = 250;
const settleTimeoutMs = 15_000;

/** Memory has settled when so many looks in a row differ by less than this share. */
const steadyLooks = 4;
const steadyShare = 0.005;

const collectTimeoutMs = 20_000;

/** The resident memory of a process that was started with `collect-garbage`, in bytes, once its garbage is gone. */
export async function settledMemory(server: OwnProcess): Promise<number> {
  server.signal();
  await server.line(collectedLine, collectTimeoutMs);
  const looks: number[] = [];
  const deadline = Date.now() + settleTimeoutMs;
  while (Date.now() < deadline) {
    looks.push(residentBytes(server.pid));
    const last = looks.slice(-steadyLooks);
    const [least, most] = [Math.min(...last), Math.max(...last)];
    if (last.length === steadyLooks && most - least <= least * steadyShare) return most;
    await setTimeout(lookEveryMs);
  }
  throw new Error('the memory of the server does not settle');
}
