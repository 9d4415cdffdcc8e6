import { type Browser, type Page, type Request } from 'playwright-core';
import { median } from '@waggle/running';
import { ChatWindow } from '../chat-window';

export interface Loading {
  /** Size of the bodies of all responses that the sign-in page loads, compressed as they are sent. */
  kilobytes: number;
  firstContentfulPaintMs: number;
  /** Until an account can be clicked. */
  interactiveMs: number;
  /** From the click on an account until its conversations are shown: log-in, WebSocket, state. */
  signInMs: number;
  /** The sum of all layout shifts until a conversation is open, also of those that follow a click. */
  layoutShift: number;
}

/** An entry of the Layout Instability API, which TypeScript's DOM types lack. */
interface LayoutShift extends PerformanceEntry {
  value: number;
}

const loads = 7;

/** Returns the medians of several loads of a chat with the demo conversations, each with an empty cache. */
export async function measureLoading(browser: Browser, url: string, account: string): Promise<Loading> {
  const measured: Loading[] = [];
  for (let load = 0; load < loads; load += 1) {
    const context = await browser.newContext({ locale: 'en-GB' });
    const sizes: Promise<number>[] = [];
    const addSize = (request: Request): void => {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    };
    context.on('requestfinished', addSize);
    const window = await ChatWindow.open(context, url);
    await window.page.getByRole('button', { name: account, exact: true }).waitFor();
    context.off('requestfinished', addSize);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    const { paintMs, interactiveMs } = await window.page.evaluate(() => ({
      paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
      interactiveMs: performance.now(),
    }));
    const startedMs = performance.now();
    await window.signIn(account);
    const signInMs = performance.now() - startedMs;
    await window.openConversation('Honey harvest');
    await window.message('Who brings the coffee?').waitFor();
    const layoutShift = await layoutShiftOf(window.page);
    measured.push({ kilobytes: bytes / 1_000, firstContentfulPaintMs: paintMs, interactiveMs, signInMs, layoutShift });
    await context.close();
  }
  const medianOf = (value: (each: Loading) => number) => median(measured.map(value));
  return {
    kilobytes: medianOf(({ kilobytes }) => kilobytes),
    firstContentfulPaintMs: medianOf(({ firstContentfulPaintMs }) => firstContentfulPaintMs),
    interactiveMs: medianOf(({ interactiveMs }) => interactiveMs),
    signInMs: medianOf(({ signInMs }) => signInMs),
    layoutShift: medianOf(({ layoutShift }) => layoutShift),
  };
}

/** Returns the sum of the layout shifts since the page was loaded. */
function layoutShiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries() as LayoutShift[]) sum += value;
        }).observe({ type: 'layout-shift', buffered: true });
        // Entries of the past are reported in the next turns; without any the observer is never called.
        setTimeout(() => {
          resolve(sum);
        }, 500);
      }),
  );
}
