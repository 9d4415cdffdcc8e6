import { logIn } from '@waggle/client';
import { signAs } from '@waggle/running';
import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type Locator } from 'playwright-core';
import { type ChatWindow } from '../src/chat-window';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';
import { untilFocused } from './support/focus';

const site = ChatSite.forTests();

const button = ({ page }: ChatWindow, name: string) => page.getByRole('button', { name, exact: true });
const details = ({ page }: ChatWindow) => page.locator('waggle-conversation-details');
const status = (window: ChatWindow) => details(window).locator('.outcome');

async function opened(account: string, title: string, window?: ChatWindow): Promise<ChatWindow> {
  const shown = window ?? (await site.signedIn(account));
  await shown.openConversation(title);
  await shown.openDetails();
  return shown;
}

function isRed(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const probe = element.parentElement?.appendChild(document.createElement('i'));
    if (probe === undefined) throw new Error('no parent');
    probe.style.color = 'var(--_danger)';
    const red = getComputedStyle(probe).color;
    probe.remove();
    const { color, backgroundColor } = getComputedStyle(element);
    return color === red || backgroundColor === red;
  });
}

describe('the name of a group', () => {
  it('is changed in its place with the keyboard', async () => {
    await site.createGroup('Old name', 'alice', ['bob']);
    const window = await opened('alice', 'Old name');
    const { page } = window;
    const field = details(window).getByLabel('Name', { exact: true });
    const pencil = button(window, 'Change the name');
    await pencil.press('Enter');
    await untilFocused(field);
    await field.fill('Dropped');
    await field.press('Escape');
    await untilFocused(pencil);
    await details(window).getByRole('heading', { name: 'Old name' }).waitFor();
    await pencil.press('Enter');
    expect(await field.inputValue()).toBe('Old name');
    expect(await accessibilityViolations(page)).toEqual([]);
    await field.fill('New name');
    const saved = status(window).getByText('Saved').waitFor();
    await field.press('Enter');
    await saved;
    await details(window).getByRole('heading', { name: 'New name' }).waitFor();
    await untilFocused(pencil);
    // It need not be closed.
    await status(window).getByText('Saved').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await details(window).waitFor({ state: 'detached' });
  });

  longTest('cannot be changed by members, nor after another conversation was opened', async () => {
    const bobs = await site.createGroup('Named by bob', 'bob', ['carol']);
    const carols = await site.createGroup('Named by carol', 'carol', ['bob']);
    const window = await opened('carol', 'Named by carol');
    // As Back does.
    const show = (id: string) =>
      window.page
        .locator('waggle-chat')
        .evaluate((element, panes) => void Object.assign(element, { panes }), [`conversation:${id}`, 'details']);
    await window.press('Change the name');
    await show(bobs);
    await details(window).getByRole('heading', { name: 'Named by bob' }).waitFor();
    expect(await button(window, 'Change the name').count()).toBe(0);
    await show(carols);
    await button(window, 'Change the name').waitFor();
  });
});

describe('members', () => {
  it('are added in the place of a button', async () => {
    await site.createGroup('Growing', 'dave', ['erin']);
    const window = await opened('dave', 'Growing');
    const field = details(window).getByLabel('Add member');
    await button(window, 'Add member').press('Enter');
    await untilFocused(field);
    await field.press('Escape');
    await untilFocused(button(window, 'Add member'));
    await window.press('Add member');
    await field.fill('frank');
    await field.press('Enter');
    await status(window).getByText('dave added frank').waitFor();
    await details(window).getByRole('heading', { name: 'Members · 3', exact: true }).waitFor();
    // For the next one.
    await untilFocused(field);
    expect(await field.inputValue()).toBe('');
    await window.press('Cancel');
    await untilFocused(button(window, 'Add member'));
  });

  longTest('of a long list are shown on request', async () => {
    await site.createGroup('Everyone', 'bob', [
      'alice',
      'carol',
      'dave',
      'erin',
      'frank',
      'grace',
      'heidi',
      'ivan',
      'judy',
    ]);
    const window = await opened('judy', 'Everyone');
    const rows = details(window).locator('.member');
    await until(async () => (await rows.count()) === 8);
    await window.press('Show all (10)');
    await until(async () => (await rows.count()) === 10);
    await untilFocused(details(window).getByRole('heading', { name: 'Members' }));
  });
});

longTest('says that a channel has more members than are known, and loads them', async () => {
  await (await site.as('dave')).api.createChannel('Crowded');
  const context = await site.newContext();
  await context.route(/\/messages\/conversations\b/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const many = ['dave', ...Array.from({ length: 249 }, (_, index) => `bee-${index}`)];
    await route.fulfill({ response, body: text.replaceAll('"members":["dave"]', `"members":${JSON.stringify(many)}`) });
  });
  const window = await opened('dave', 'Crowded', await site.signedIn('dave', context));
  const { page } = window;
  await page.locator('waggle-conversation').getByText('250+ members').waitFor();
  await page.getByRole('heading', { name: 'Members · 250+', exact: true }).waitFor();
  await window.press('Show all');
  await page.getByRole('heading', { name: 'Members · 250', exact: true }).waitFor();
});

longTest('says that the link of a channel was copied', async () => {
  const { id } = await (await site.as('grace')).api.createChannel('Copied channel');
  const context = await site.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const window = await opened('grace', 'Copied channel', await site.signedIn('grace', context));
  await details(window)
    .getByText(`${new URL(site.url).host}/app/#/${id}`)
    .waitFor();
  await window.press(/Copy link$/);
  await status(window).getByText('Copied').waitFor();
  expect(await accessibilityViolations(window.page)).toEqual([]);
});

it('warns that blocking ends the friendship, and only blocking is red', async () => {
  const [heidi, ivan] = [await site.as('heidi'), await site.as('ivan')];
  await heidi.requestFriendship('ivan');
  await ivan.requestFriendship('heidi');
  await ivan.sendTo('heidi', 'Hello, friend');
  const window = await opened('heidi', 'ivan');
  const { page } = window;
  expect(await details(window).getByRole('link', { name: 'Profile on Hive' }).getAttribute('href')).toBe(
    'https://hive.blog/@ivan',
  );
  expect(await isRed(button(window, 'Hide conversation'))).toBe(false);
  expect(await isRed(button(window, 'Block ivan'))).toBe(true);
  const dialog = page.locator('dialog[open]');
  await window.press('Hide conversation');
  expect(await isRed(dialog.getByRole('button', { name: 'Hide conversation' }))).toBe(false);
  await window.confirm('Cancel');
  await window.press('Block ivan');
  await dialog.getByText('It ends your friendship.').waitFor();
  expect(await isRed(dialog.getByRole('button', { name: 'Block' }))).toBe(true);
  await window.confirm('Block');
  await status(window).getByText('ivan is blocked.').waitFor();
  await button(window, 'Add friend').waitFor();
  expect(await isRed(button(window, 'Unblock'))).toBe(false);
  await window.press('Unblock');
  await window.press('Block ivan');
  await dialog.getByText('Block ivan?').waitFor();
  expect(await dialog.getByText('It ends your friendship.').count()).toBe(0);
});

longTest('lists a few sessions at first, the current one on top, below the button to sign out', async () => {
  const signIn = () => logIn({ url: site.url, account: 'judy', sign: (text) => signAs('judy', text) });
  const window = await site.signedIn('judy');
  for (let session = 0; session < 6; session += 1) await signIn();
  await window.openSettings();
  const sessions = window.page.locator('waggle-settings li');
  await until(async () => (await sessions.count()) === 5);
  await sessions.first().getByText('(this one)').waitFor();
  const [signOut, first] = await Promise.all([
    button(window, 'Sign out').boundingBox(),
    sessions.first().boundingBox(),
  ]);
  expect(signOut?.y).toBeLessThan(first?.y ?? 0);
  await window.page.getByRole('button', { name: /^Show all \(\d+\)$/ }).click();
  await until(async () => (await sessions.count()) > 6);
});

longTest('has targets for fingers and fits on a small phone', async () => {
  await site.createGroup('Small', 'erin', ['bob']);
  const context = await site.newContext({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  const window = await site.signedIn('erin', context);
  const { page } = window;
  const untilLarge = async (pane: Locator) => {
    const sizes = await pane
      .locator('button, input:not([type="radio"], [type="checkbox"]), label')
      .evaluateAll((targets) =>
        targets
          .filter((target) => target.checkVisibility() && !target.matches('label[for]'))
          .map((target) => `${target.textContent.trim()} ${target.getBoundingClientRect().height}`),
      );
    expect(sizes.filter((size) => Number(size.split(' ').at(-1)) < 44)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(await accessibilityViolations(page)).toEqual([]);
  };
  await window.openSettings();
  await page.getByText('(this one)').waitFor();
  await untilLarge(page.locator('waggle-settings'));
  await window.press('Back');
  await opened('erin', 'Small', window);
  await untilLarge(details(window));
  for (const field of ['Change the name', 'Add member']) {
    await button(window, field).tap();
    await details(window).locator('input').waitFor();
    await untilLarge(details(window));
  }
});
