import { setTimeout as pause } from 'node:timers/promises';
import { Chat, logIn } from '@waggle/client';
import { percentile, signAs } from '@waggle/running';
import { type Browser } from 'playwright-core';
import { ChatWindow } from '../chat-window';

export interface FrameTimes {
  messagesPerSecond: number;
  p50Ms: number;
  p95Ms: number;
  longestMs: number;
}

const warmUpMs = 2_000;
const measureMs = 10_000;
const tickMs = 20;

/** Measures the times between frames while the senders write into a group that is open in the reader's page. */
export async function measureFrames(
  browser: Browser,
  url: string,
  { reader, senders, perSecond }: { reader: string; senders: readonly string[]; perSecond: number },
): Promise<FrameTimes> {
  const chats = await Promise.all(
    senders.map(async (account) => {
      const chat = new Chat({ session: await logIn({ url, account, sign: (text) => signAs(account, text) }) });
      await chat.connect();
      return chat;
    }),
  );
  const context = await browser.newContext({ locale: 'en-GB' });
  try {
    const [first] = chats;
    if (first === undefined) throw new Error('there is no sender');
    const { conversation } = await first.createGroup([reader, ...senders.slice(1)], 'begin');
    await first.rename(conversation.id, 'Load');
    const window = await ChatWindow.open(context, url);
    await window.signIn(reader);
    await window.openConversation('Load');
    // Otherwise the page stays at the first unread message, if more than fit arrive while it loads.
    await window.message('begin').waitFor();
    let count = 0;
    const startedMs = performance.now();
    const timer = setInterval(() => {
      const due = ((performance.now() - startedMs) / 1_000) * perSecond;
      for (; count < due; count += 1) {
        const text = `message ${count} with an ordinary number of words in it`;
        chats[count % chats.length]?.send(conversation.id, text).catch(() => undefined);
      }
    }, tickMs);
    await pause(warmUpMs);
    const before = count;
    const frames = await window.page
      .evaluate(
        (ms) =>
          new Promise<number[]>((resolve) => {
            const times: number[] = [];
            const start = performance.now();
            const next = (time: number): void => {
              times.push(time);
              if (time - start < ms) requestAnimationFrame(next);
              else resolve(times.slice(1).map((at, index) => at - (times[index] ?? at)));
            };
            requestAnimationFrame(next);
          }),
        measureMs,
      )
      .finally(() => {
        clearInterval(timer);
      });
    const sent = count - before;
    // The page must not have fallen behind.
    await first.send(conversation.id, 'the last message');
    await window.message('the last message').waitFor();
    return {
      messagesPerSecond: (sent / measureMs) * 1_000,
      p50Ms: percentile(frames, 0.5),
      p95Ms: percentile(frames, 0.95),
      longestMs: Math.max(...frames),
    };
  } finally {
    await context.close();
    for (const chat of chats) await chat.close();
  }
}
