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

// First: the screenshots show the demo as it is after the start.
describe('every view', () => {
  /** Opens a view. Each has an account of its own if it changes what is unread. */
  const views: Record<string, (context: BrowserContext) => Promise<ChatWindow>> = {
    'sign-in': async (context) => {
      const window = await ChatWindow.open(context, chat.url);
      await window.page.getByRole('button', { name: 'alice', exact: true }).waitFor();
      return window;
    },
    conversations: (context) => signedIn('alice', context),
    people: async (context) => {
      const window = await signedIn('alice', context);
      await window.press(/^People/);
      await window.page.getByText('erin').first().waitFor();
      return window;
    },
    'new-conversation': async (context) => {
      const window = await signedIn('alice', context);
      await window.press('New conversation');
      await window.page.locator('waggle-new-conversation').waitFor();
      return window;
    },
    settings: async (context) => {
      const window = await signedIn('grace', context);
      await window.press(/^Settings/);
      await window.page.getByText('(this one)').waitFor();
      return window;
    },
    conversation: async (context) => {
      const window = await signedIn('carol', context);
      await window.openConversation('alice');
      await window.message('see you at ten').waitFor();
      return window;
    },
    details: async (context) => {
      const window = await signedIn('dave', context);
      await window.openConversation('Honey harvest');
      await window.openDetails();
      return window;
    },
  };

  it.each(Object.entries(views))('is accessible and looks as before: %s', async (name, open) => {
    const { page } = await open(await newContext());
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 1280, height: 720 });
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await differenceFromScreenshot(page, `${name}-${colorScheme}-1280`)).toBe(0);
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      expect(await differenceFromScreenshot(page, `${name}-${colorScheme}-320`)).toBe(0);
    }
  });
});

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

describe('people', () => {
  it('become friends, block each other and write again', async () => {
    const [frank, grace] = await Promise.all([signedIn('frank'), signedIn('grace')]);
    await frank.press(/^People/);
    await frank.page.locator('waggle-people #friend').fill('grace');
    await frank.press('Send request');
    await grace.press('People, Friend requests: 1');
    await grace.press('Accept: frank');
    await frank.press('Message to grace');
    await frank.fill('First message', 'We are friends now');
    await frank.page.locator('waggle-new-conversation').getByRole('button', { name: 'Send', exact: true }).click();
    await frank.message('We are friends now').waitFor();
    // An account learns which friends are online when it connects.
    await grace.page.reload();
    await grace.openConversation('frank');
    await grace.page.locator('waggle-conversation').getByText('online', { exact: true }).waitFor();
    await grace.openDetails();
    await grace.press('Block');
    await grace.confirm('Block');
    await grace.page.getByText('You cannot write to each other').waitFor();
    // A blocked account gets no event: its next message is rejected.
    await frank.send('Are you angry?');
    await frank.page.getByText('Not sent: One of you blocks the other').waitFor();
    await grace.press('Unblock');
    await grace.composer.waitFor();
    await frank.press('Send again');
    await grace.message('Are you angry?').waitFor();
  });

  it('list their sessions, and sign out', async () => {
    const [one, other] = [await signedIn('heidi'), await signedIn('heidi')];
    await one.press(/^Settings/);
    await one.page.getByText('(this one)').waitFor();
    await one.page.getByRole('button', { name: /^End: / }).click();
    await other.page.getByRole('button', { name: 'alice', exact: true }).waitFor();
    await one.press('Sign out');
    await one.page.getByRole('button', { name: 'alice', exact: true }).waitFor();
    await one.page.reload();
    await one.page.getByRole('button', { name: 'alice', exact: true }).waitFor();
  });
});

describe('groups and channels', () => {
  it('are created, renamed, shared and left; messages are deleted', async () => {
    const [ivan, judy] = await Promise.all([signedIn('ivan'), signedIn('judy')]);
    await ivan.write('judy frank', 'A group of three');
    await judy.page.getByText('A group of three').first().click();
    await judy.message('A group of three').waitFor();
    await ivan.openDetails();
    await ivan.page.locator('waggle-conversation-details #name').fill('Three bees');
    await ivan.press('Save');
    await judy.page.getByRole('heading', { name: 'Three bees' }).waitFor();
    await ivan.press('Make moderator: judy');
    await ivan.press('Remove as moderator: judy');
    await ivan.page.locator('waggle-conversation-details #member').fill('grace');
    await ivan.press('Add');
    await ivan.press('Remove: grace');
    await ivan.message('A group of three').hover();
    await ivan.message('A group of three').getByLabel('Delete message').click();
    await ivan.confirm('Delete');
    await until(async () => (await judy.message('A group of three').count()) === 0);
    await judy.openDetails();
    await judy.press('Leave');
    await judy.confirm('Leave');
    await until(async () => (await judy.entry('Three bees').count()) === 0);
  });

  it('open by a link, without being a member', async () => {
    const [ivan, judy] = await Promise.all([signedIn('ivan'), signedIn('judy')]);
    await ivan.press('New conversation');
    await ivan.page.locator('waggle-new-conversation #channel').fill('Open hive');
    await ivan.press('Create channel');
    await ivan.composer.waitFor();
    await judy.page.goto(ivan.page.url());
    await ivan.send('Welcome');
    await judy.message('Welcome').waitFor();
    await judy.send('Thank you');
    await ivan.message('Thank you').waitFor();
  });
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
