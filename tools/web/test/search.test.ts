import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type ChatWindow } from '../src/chat-window';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';
import { untilFocused } from './support/focus';
import { differenceFromScreenshot } from './support/screenshots';

const site = ChatSite.forTests();

const fieldOf = ({ page }: ChatWindow) => page.locator('waggle-search input');
const hitsOf = ({ page }: ChatWindow) => page.locator('waggle-search .hit');

/** Writes messages to an account as bob, and waits until the search finds the first one. */
async function writeTo(account: string, first: string, count: number): Promise<void> {
  const bob = await site.as('bob');
  await bob.sendTo(account, first);
  for (let n = 0; n < count; n += 1) await bob.sendTo(account, `Filler ${n}`);
  await until(async () => (await bob.api.searchPage(`"${first}"`)).hits.length > 0);
}

/** Three messages to erin, in two conversations. */
async function writeAboutHoney(): Promise<void> {
  const dave = await site.as('dave');
  await dave.sendTo('erin', 'The honey is in the shed, beside the smoker and the new frames');
  await dave.sendTo('erin', 'Honey labels: https://labels.example/honey');
  const { conversation } = await dave.createGroup(
    ['erin', 'carol'],
    'Who wants honey from the last harvest of the year?',
  );
  await dave.rename(conversation.id, 'Beekeepers');
  await until(async () => (await dave.api.searchPage('honey')).hits.length === 3);
}
let written: Promise<void> | undefined;

describe('the search', () => {
  it('finds a message, shows it in its place, and leads back to the newest', async () => {
    await writeTo('alice', 'Where is the old smoker?', 150);
    const alice = await site.signedIn('alice');
    const { page } = alice;
    await alice.openConversation('bob');
    await page.locator('waggle-conversation header').getByRole('button', { name: 'Search messages' }).click();
    await untilFocused(fieldOf(alice));
    await page.getByText('In bob').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await fieldOf(alice).fill('SMOKER');
    await hitsOf(alice).waitFor();
    expect(await hitsOf(alice).locator('mark').allTextContents()).toEqual(['smoker']);
    await page.locator('waggle-search [role=status]').getByText('1 message').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await untilFocused(hitsOf(alice));
    await page.keyboard.press('Enter');
    await untilFocused(page.locator('waggle-message-list li.message').filter({ hasText: 'old smoker' }));
    await alice.message('Filler 0').first().waitFor();
    await page.getByRole('button', { name: 'Go to the newest message' }).click();
    await alice.message('Filler 149').waitFor();
    await fieldOf(alice).press('Escape');
    expect(await fieldOf(alice).inputValue()).toBe('');
  });

  it('begins with what is typed above the list, in all conversations', async () => {
    await writeTo('carol', 'Propolis', 2);
    const carol = await site.signedIn('carol');
    const { page } = carol;
    await page.getByLabel('Search conversations').fill('propolis');
    await page.getByRole('button', { name: 'Search messages for “propolis”' }).click();
    await hitsOf(carol).click();
    await carol.message('Propolis').waitFor();
    await fieldOf(carol).fill('nonexistent');
    await page.getByText('Nothing found for “nonexistent”').waitFor();
    await fieldOf(carol).fill('word before:yesterday');
    await page.getByRole('alert').getByText('This is not valid.').waitFor();
    // Not as HTML.
    await writeTo('carol', '<img src=x onerror=alert(1)> wax', 0);
    await fieldOf(carol).fill('wax');
    await hitsOf(carol).getByText('<img src=x onerror=alert(1)>').waitFor();
    await carol.press('Back');
    await page.locator('waggle-search').waitFor({ state: 'detached' });
  });

  longTest.each([
    [1280, 'light'],
    [1280, 'dark'],
    [320, 'light'],
    [320, 'dark'],
  ] as const)('looks as before at %i pixels, %s', async (width, colorScheme) => {
    await (written ??= writeAboutHoney());
    const context = await site.newContext({ viewport: { width, height: 720 }, colorScheme });
    const erin = await site.signedIn('erin', context);
    await erin.page.getByLabel('Search conversations').fill('honey');
    await erin.page.getByRole('button', { name: 'Search messages for “honey”' }).click();
    await hitsOf(erin).nth(2).waitFor();
    expect(await accessibilityViolations(erin.page)).toEqual([]);
    expect(await differenceFromScreenshot(erin.page, `search-${colorScheme}-${width}`)).toBe(0);
  });
});
