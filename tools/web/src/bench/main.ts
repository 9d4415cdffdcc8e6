import { fillChatDemo, runAndEnd } from '@waggle/running';
import { launchBrowser } from '@waggle/testing/browser';
import { WebStack } from '../stack';
import { measureFrames } from './frames';
import { fillHistory } from './history-rows';
import { measureLoading } from './loading';
import { measureMemory } from './memory';

const messages = 100_000;
const nearMessages = 1_000;

/** One line of the result: what was measured, and the budget if there is one. */
function report(what: string, value: number, unit: string, max?: number): boolean {
  const isWithin = max === undefined || value <= max;
  const budget =
    max === undefined ? '' : `  (at most ${Number(max.toFixed(1))} ${unit}${isWithin ? '' : ': EXCEEDED'})`;
  const digits = value !== 0 && value < 1 ? 3 : 1;
  console.log(`${what.padEnd(48)} ${value.toFixed(digits).padStart(8)} ${unit}${budget}`);
  return isWithin;
}

runAndEnd(async (running) => {
  const stack = await WebStack.start(running);
  const { url } = await stack.startChat();
  await fillChatDemo(url);
  await fillHistory(stack.chatDatabaseUrl, ['ivan', 'judy'], messages);
  const browser = await launchBrowser();
  running.use({ stop: () => browser.close() });

  const loading = await measureLoading(browser, url, 'alice');
  const results = [
    report('/app/ until sign-in, compressed', loading.kilobytes, 'kB', 70),
    report('first contentful paint', loading.firstContentfulPaintMs, 'ms'),
    report('interactive', loading.interactiveMs, 'ms'),
    report('sign-in until the conversations are shown', loading.signInMs, 'ms'),
    report('layout shift until a conversation is open', loading.layoutShift, '', 0.1),
  ];

  const frames = await measureFrames(browser, url, {
    reader: 'alice',
    senders: ['bob', 'carol', 'dave', 'erin'],
    perSecond: 200,
  });
  results.push(
    report('messages per second in the open conversation', frames.messagesPerSecond, '/s'),
    report('time between frames, median', frames.p50Ms, 'ms'),
    report('time between frames, p95', frames.p95Ms, 'ms', 50),
    report('time between frames, longest', frames.longestMs, 'ms'),
  );

  const distances = [nearMessages, messages];
  const [near, far] = await measureMemory(browser, url, { account: 'ivan', other: 'judy', count: messages, distances });
  if (near === undefined || far === undefined) throw new Error('memory was not measured');
  results.push(
    report(`heap after ${nearMessages} messages`, near.heapMebibytes, 'MiB'),
    report(`heap after ${messages} messages`, far.heapMebibytes, 'MiB', near.heapMebibytes * 1.3),
    report(`DOM nodes after ${nearMessages} messages`, near.nodes, ''),
    report(`DOM nodes after ${messages} messages`, far.nodes, '', near.nodes * 1.3),
  );
  return results.every(Boolean) ? 0 : 1;
});
