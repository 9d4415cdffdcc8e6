import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type Locator, type Page } from 'playwright-core';
import { type ChatWindow } from '../src/chat-window';
import { ChatSite } from './support/chat-site';
import { untilFocused } from './support/focus';

const site = ChatSite.forTests();

const phone = { viewport: { width: 320, height: 640 } };

async function onPhone(account: string): Promise<ChatWindow> {
  return site.signedIn(account, await site.newContext(phone));
}

/** The parts of the chat that a person sees. */
function parts({ page }: ChatWindow) {
  return {
    list: page.locator('waggle-conversation-list'),
    people: page.locator('waggle-people'),
    settings: page.locator('waggle-settings'),
    form: page.locator('waggle-new-conversation'),
    conversation: page.locator('waggle-conversation'),
    details: page.locator('waggle-conversation-details'),
    question: page.locator('dialog[open]'),
    menu: page.getByRole('menu'),
  };
}

/** Waits until these parts are shown and all others are not. */
async function untilShown(window: ChatWindow, ...names: (keyof ReturnType<typeof parts>)[]): Promise<void> {
  const all = Object.entries(parts(window));
  const shown = async () => {
    const visible = await Promise.all(all.map(([, part]) => part.first().isVisible()));
    return all.flatMap(([name], index) => (visible[index] === true ? [name] : [])).sort();
  };
  const expected = [...names].sort().join();
  await until(async () => (await shown()).join() === expected, { actual: shown });
}

/** The panes that each entry of the history shows, up to the current one. */
function historyOf(page: Page): Promise<string[][]> {
  return page.evaluate(() => {
    const state: { panes: string[][] } = history.state;
    return state.panes;
  });
}

async function pressWithKeyboard(target: Locator): Promise<void> {
  await target.focus();
  await target.press('Enter');
}

it('are closed one at a time by Back, the topmost first', async () => {
  await site.createGroup('Entries', 'alice', ['bob']);
  const alice = await onPhone('alice');
  const { page } = alice;
  await alice.openSettings();
  await page.goBack();
  await untilShown(alice, 'list');
  await alice.openConversation('Entries');
  await alice.openDetails();
  await alice.press('Actions for bob');
  await untilShown(alice, 'details', 'menu');
  await page.goBack();
  await untilShown(alice, 'details');
  await alice.chooseForMember('bob', 'Remove');
  await untilShown(alice, 'details', 'question');
  await page.goBack();
  await untilShown(alice, 'details');
  expect(await page.getByRole('button', { name: 'Actions for bob' }).count()).toBe(1);
  await page.goForward();
  // The question cannot be asked again.
  await until(async () => (await historyOf(page)).length === 3);
  await untilShown(alice, 'details');
  await page.goBack();
  await untilShown(alice, 'conversation');
  await page.goForward();
  await untilShown(alice, 'details');
  await page.goBack();
  await page.goBack();
  await untilShown(alice, 'list');
  await page.goBack();
  expect(page.url()).toBe('about:blank');
});

it('are closed one at a time by Escape, which returns the focus to what opened them', async () => {
  await site.createGroup('Escapes', 'carol', ['bob']);
  const bob = await site.as('bob');
  await bob.requestFriendship('carol');
  await (await site.as('carol')).requestFriendship('bob');
  const carol = await onPhone('carol');
  const { page } = carol;
  const escape = () => page.keyboard.press('Escape');
  const settings = page.getByRole('button', { name: 'Settings: carol' });
  await pressWithKeyboard(settings);
  await untilShown(carol, 'settings');
  await escape();
  await untilShown(carol, 'list');
  await untilFocused(settings);

  const people = page.getByRole('button', { name: 'People', exact: true });
  await pressWithKeyboard(people);
  const message = page.getByRole('button', { name: 'Message to bob' });
  await pressWithKeyboard(message);
  await untilShown(carol, 'form');
  await escape();
  await untilShown(carol, 'people');
  await untilFocused(message);
  await escape();
  await untilFocused(people);

  await pressWithKeyboard(carol.entry('Escapes'));
  await carol.composer.waitFor();
  const title = page.locator('waggle-conversation button.title');
  await pressWithKeyboard(title);
  const actions = page.getByRole('button', { name: 'Actions for bob' });
  await pressWithKeyboard(actions);
  await untilShown(carol, 'details', 'menu');
  await escape();
  await untilShown(carol, 'details');
  await untilFocused(actions);
  await pressWithKeyboard(page.getByRole('button', { name: /^Leave/ }));
  await untilShown(carol, 'details', 'question');
  // The browser reports that it closed a dialog after the next key.
  await Promise.all([escape(), escape()]);
  await untilShown(carol, 'conversation');
  await untilFocused(title);
  await escape();
  await untilShown(carol, 'list');
  await untilFocused(carol.entry('Escapes'));

  const search = page.getByLabel('Search conversations');
  await search.fill('Esc');
  await escape();
  expect(await search.inputValue()).toBe('');
});

longTest('are closed by Escape after a click beside the controls, and after a reload', async () => {
  await site.createGroup('Clicked', 'dave', ['bob']);
  const dave = await site.signedIn('dave');
  await dave.openConversation('Clicked');
  await dave.openDetails();
  await dave.page.locator('waggle-conversation-details .summary').click();
  await dave.page.keyboard.press('Escape');
  await untilShown(dave, 'list', 'conversation');
  await dave.page.reload();
  await dave.message('Welcome to Clicked').waitFor();
  await dave.page.keyboard.press('Escape');
  await untilShown(dave, 'list');
  expect(new URL(dave.page.url()).hash).toBe('');
});

longTest('leave no entry in the history if they are closed by their buttons', async () => {
  const id = await site.createGroup('Buttons', 'bob', ['erin']);
  const erin = await onPhone('erin');
  const { page } = erin;
  const entries = async (...expected: string[][]) =>
    until(async () => JSON.stringify(await historyOf(page)) === JSON.stringify(expected), {
      actual: () => historyOf(page),
    });
  await erin.openPeople();
  await entries([], ['people']);
  await erin.press('Back');
  await entries([]);
  await erin.openConversation('Buttons');
  expect(new URL(page.url()).hash).toBe(`#/${id}`);
  await erin.openDetails();
  await entries([], [`conversation:${id}`], [`conversation:${id}`, 'details']);
  await erin.press('Close');
  await entries([], [`conversation:${id}`]);
  await erin.openDetails();
  await erin.press(/^Leave/);
  await erin.confirm(/^Leave/);
  await untilShown(erin, 'list');
  await entries([]);
  await erin.openNewConversation();
  await erin.beginWith('frank', 'Hello, frank');
  await erin.message('Hello, frank').waitFor();
  // Back does not return to the form.
  await page.goBack();
  await untilShown(erin, 'list');
  await page.goBack();
  expect(page.url()).toBe('about:blank');
});

it('are the same after a reload, with their history', async () => {
  await site.createGroup('Reloaded', 'frank', ['bob']);
  const frank = await onPhone('frank');
  const { page } = frank;
  await frank.openPeople();
  await page.reload();
  await untilShown(frank, 'people');
  await page.goBack();
  await untilShown(frank, 'list');
  await frank.openConversation('Reloaded');
  await frank.openDetails();
  await frank.press(/^Leave/);
  await untilShown(frank, 'details', 'question');
  await page.reload();
  await untilShown(frank, 'details');
  await until(async () => (await historyOf(page)).length === 3);
  await page.goBack();
  await untilShown(frank, 'conversation');
  await page.goBack();
  await untilShown(frank, 'list');
});

longTest('follow an address that is typed, whose conversation is closed like another', async () => {
  const [one, other] = [
    await site.createGroup('Typed first', 'grace', ['bob']),
    await site.createGroup('Typed second', 'grace', ['bob']),
  ];
  const grace = await onPhone('grace');
  const { page } = grace;
  await grace.openConversation('Typed first');
  await grace.openDetails();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${other}`);
  await grace.message('Welcome to Typed second').waitFor();
  await untilShown(grace, 'conversation');
  await grace.press('Back');
  await untilShown(grace, 'list');
  await until(async () => (await historyOf(page)).length === 1);
  // Without an entry of the list before it.
  await page.goto('about:blank');
  await page.goto(`${site.url}/app/#/${one}`);
  await grace.message('Welcome to Typed first').waitFor();
  await grace.press('Back');
  await untilShown(grace, 'list');
  expect(new URL(page.url()).hash).toBe('');
});

longTest('are shown side by side if there is space, and the topmost alone when it is gone', async () => {
  await site.createGroup('Space', 'heidi', ['bob']);
  const heidi = await site.signedIn('heidi');
  await heidi.openConversation('Space');
  await heidi.openPeople();
  await untilShown(heidi, 'people', 'conversation');
  await heidi.page.setViewportSize(phone.viewport);
  await untilShown(heidi, 'people');
  await heidi.page.keyboard.press('Escape');
  await untilShown(heidi, 'conversation');
});

longTest('offer a new account to write or to add a friend', async () => {
  const judy = await site.signedIn('judy');
  const { page } = judy;
  const write = page.getByRole('button', { name: 'Write a message', exact: true });
  await page.getByText('Welcome to Waggle').waitFor();
  await judy.press('Write a message');
  await untilShown(judy, 'form');
  expect(await write.count()).toBe(0);
  await judy.press('Back');
  await write.waitFor();
  await judy.press('Add friend');
  await untilShown(judy, 'people');
});

longTest('of a conversation are announced by its title: open or closed', async () => {
  await site.createGroup('Expands', 'heidi', ['bob']);
  const heidi = await site.signedIn('heidi');
  await heidi.openConversation('Expands');
  const title = heidi.page.locator('waggle-conversation button.title');
  expect(await title.getAttribute('aria-expanded')).toBe('false');
  await heidi.openDetails();
  expect(await title.getAttribute('aria-expanded')).toBe('true');
  await heidi.page.keyboard.press('Escape');
  await until(async () => (await title.getAttribute('aria-expanded')) === 'false');
});
