import { accessibilityViolations } from './axe';
import { type Browser, type BrowserContext } from 'playwright-core';
import { fillChatDemo, Running, type ServiceProcess } from '@waggle/running';
import { until } from '@waggle/testing';
import { launchBrowser } from '@waggle/testing/browser';
import { ChatWindow } from '../src/chat-window';
import { WebStack } from '../src/stack';
import { differenceFromScreenshot } from './screenshots';

// The services and a browser start; the first run on a machine fetches the browser.
jest.setTimeout(300_000);

/** Messages of a burst, in which the instance is killed. `BURST=2000 npx jest test/chat` is the long form. */
const burst = Number(process.env['BURST'] ?? 40);

const running = new Running();
let stack: WebStack;
let chat: ServiceProcess;
let browser: Browser;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  [stack, browser] = await Promise.all([WebStack.start(running), launchBrowser()]);
  chat = await stack.startChat();
  await fillChatDemo(chat.url);
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await browser.close();
  await running.endAll();
});

/** A browser profile of its own. A page that logs an error or violates its policy fails the test. */
async function newContext(options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce', ...options });
  contexts.push(context);
  return context;
}

async function signedIn(account: string, context?: BrowserContext): Promise<ChatWindow> {
  const window = await ChatWindow.open(context ?? (await newContext()), chat.url);
  await window.signIn(account);
  return window;
}

it('carries messages between two people, and shows what became of them', async () => {
  const [alice, carol] = await Promise.all([signedIn('alice'), signedIn('carol')]);
  await alice.openConversation('carol');
  await alice.send('Are you there?');
  await alice.message('Are you there?').getByLabel('Sent').waitFor();
  await carol.openConversation('alice');
  await carol.message('Are you there?').waitFor();
  await carol.page.bringToFront();
  await alice.message('Are you there?').getByLabel('Read').waitFor();
  await carol.composer.pressSequentially('Ye');
  await alice.page.getByText('carol is typing…').first().waitFor();
  await carol.send('Yes!');
  await alice.message('Yes!').waitFor();
});

it('keeps session and draft over a reload', async () => {
  const alice = await signedIn('alice');
  await alice.openConversation('Honey harvest');
  await alice.composer.fill('half a sent');
  await alice.page.reload();
  await alice.conversations.waitFor();
  await alice.openConversation('Honey harvest');
  expect(await alice.composer.inputValue()).toBe('half a sent');
});

it('shows the same in two tabs', async () => {
  const context = await newContext();
  const first = await signedIn('alice', context);
  const second = await ChatWindow.open(context, chat.url);
  await second.conversations.waitFor();
  await first.openConversation('Honey harvest');
  await second.openConversation('Honey harvest');
  await first.send('from the first tab');
  await second.message('from the first tab').waitFor();
  await second.send('from the second tab');
  await first.message('from the second tab').waitFor();
  expect((await first.texts()).filter((text) => text.includes('tab'))).toEqual(
    (await second.texts()).filter((text) => text.includes('tab')),
  );
});

it('sends what was written offline once the network is back', async () => {
  const context = await newContext();
  const alice = await signedIn('alice', context);
  const bob = await signedIn('bob');
  await alice.openConversation('Honey harvest');
  await bob.openConversation('Honey harvest');
  await context.setOffline(true);
  await alice.page.getByText('You are offline').waitFor();
  await alice.send('written offline');
  await alice.message('written offline').getByLabel('Sending').waitFor();
  await context.setOffline(false);
  await bob.message('written offline').waitFor();
  await alice.message('written offline').getByLabel('Sent').waitFor();
});

it('ends with each message once and in order though the instance is killed in a burst', async () => {
  const [alice, bob] = await Promise.all([signedIn('alice'), signedIn('bob')]);
  await alice.openConversation('Honey harvest');
  await bob.openConversation('Honey harvest');
  const texts = Array.from({ length: burst }, (_, index) => `burst ${index}`);
  const sending = (async () => {
    for (const text of texts) await alice.send(text);
  })();
  await bob.message('burst 3').first().waitFor();
  await chat.process.kill();
  await alice.page.getByText('Reconnecting').first().waitFor();
  chat = await stack.startChat();
  await sending;
  for (const window of [alice, bob]) {
    await window.message(texts.at(-1) ?? '').waitFor();
    await until(async () => (await window.page.getByLabel('Sending').count()) === 0);
    expect((await window.texts()).filter((text) => text.startsWith('burst'))).toEqual(texts);
  }
});

it('shows hostile text as text', async () => {
  const alice = await signedIn('alice');
  const dialogs: string[] = [];
  alice.page.on('dialog', (dialog) => dialogs.push(dialog.message()));
  await alice.openConversation('Honey harvest');
  const hostile = [
    '<img src=x onerror=alert(1)><script>alert(2)</script>',
    'javascript:alert(3) and data:text/html,<script>alert(4)</script>',
    'to the right \u202eevil txt.exe',
    `Z${'\u0301'.repeat(3_999)}`,
    'https://example.com/?q=<b>x</b>',
  ];
  for (const text of hostile) await alice.send(text);
  await alice.message('example.com').waitFor();
  const shown = await alice.texts();
  for (const text of hostile) expect(shown).toContain(text);
  const list = alice.page.locator('waggle-message-list');
  expect(await list.locator('img, script, b, [onerror]').count()).toBe(0);
  expect(await list.locator('a:not([href^="https://"]):not([href^="http://"])').count()).toBe(0);
  const link = alice.message('example.com').getByRole('link');
  expect(await link.getAttribute('rel')).toMatch(/noopener.*nofollow|nofollow.*noopener/);
  // A pile of combining marks does not cover its neighbours.
  const [pile, next] = await Promise.all([
    alice.message('Z\u0301').boundingBox(),
    alice.message('example.com').boundingBox(),
  ]);
  expect((pile?.y ?? 0) + (pile?.height ?? 0)).toBeLessThanOrEqual((next?.y ?? 0) + 1);
  expect(dialogs).toEqual([]);
});

describe('every view', () => {
  /** Opens a view and returns its window. */
  const views: Record<string, (context: BrowserContext) => Promise<ChatWindow>> = {
    'sign-in': async (context) => {
      const window = await ChatWindow.open(context, chat.url);
      await window.page.getByRole('button', { name: 'alice', exact: true }).waitFor();
      return window;
    },
    conversations: (context) => signedIn('alice', context),
    conversation: async (context) => {
      const window = await signedIn('alice', context);
      await window.openConversation('carol');
      await window.message('see you at ten').waitFor();
      return window;
    },
  };

  it.each(Object.keys(views))('has no accessibility violation: %s', async (name) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await opened(name, { colorScheme });
      expect(await accessibilityViolations(page)).toEqual([]);
    }
  });

  it.each(Object.keys(views))('looks as before: %s', async (name) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [320, 1280]) {
        const { page } = await opened(name, { colorScheme, viewport: { width, height: 720 } });
        expect(await differenceFromScreenshot(page, `${name}-${colorScheme}-${width}`)).toBe(0);
      }
    }
  });

  async function opened(name: string, options: Parameters<Browser['newContext']>[0]): Promise<ChatWindow> {
    const open = views[name];
    if (open === undefined) throw new Error(`no view ${name}`);
    return await open(await newContext(options));
  }
});
