import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type CDPSession } from 'playwright-core';
import { ChatWindow } from '../chat-window';

const collections = 3;
const collectionPauseMs = 500;

/** What a page uses after garbage collection. */
export interface Memory {
  heapMebibytes: number;
  nodes: number;
}

/**
 * Scrolls up through a history of `message 1` to `message <count>`, and measures at the given distances from its end.
 */
export async function measureMemory(
  browser: Browser,
  url: string,
  { account, other, count, distances }: { account: string; other: string; count: number; distances: number[] },
): Promise<Memory[]> {
  const context = await browser.newContext({ locale: 'en-GB' });
  try {
    const window = await ChatWindow.open(context, url);
    await window.signIn(account);
    await window.openConversation(other);
    await window.message(`message ${count}`).first().waitFor();
    const session = await context.newCDPSession(window.page);
    const measured: Memory[] = [];
    for (const distance of distances) {
      await window.scrollUpTo(Math.max(1, count - distance + 1));
      measured.push(await usage(session));
    }
    return measured;
  } finally {
    await context.close();
  }
}

async function usage(session: CDPSession): Promise<Memory> {
  // Nodes that are reachable only from each other go with the second collection, after the browser paints without them.
  for (let collection = 0; collection < collections; collection += 1) {
    await session.send('HeapProfiler.collectGarbage');
    await pause(collectionPauseMs);
  }
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  return { heapMebibytes: usedSize / 1024 / 1024, nodes };
}
