import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type ChatWindow } from '../src/chat-window';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';
import { isFocused, untilFocused } from './support/focus';

const site = ChatSite.forTests();

const field = ({ page }: ChatWindow) => page.locator('waggle-people-picker #to');
const message = ({ page }: ChatWindow) => page.locator('waggle-new-conversation #text');
const chips = ({ page }: ChatWindow) => page.locator('.chip').allInnerTexts();
const options = ({ page }: ChatWindow) => page.getByRole('option').locator('.ellipsis').allInnerTexts();

async function untilChips(window: ChatWindow, ...accounts: string[]): Promise<void> {
  await until(async () => (await chips(window)).join() === accounts.join(), { actual: () => chips(window) });
}

/** The suggestion that Enter chooses, as screen readers announce it. */
async function untilActive(window: ChatWindow, account: string | null): Promise<void> {
  const active = () => field(window).getAttribute('aria-activedescendant');
  const expected = account === null ? null : `option-${account}`;
  await until(async () => (await active()) === expected, { actual: active });
}

async function befriend(account: string, other: string): Promise<void> {
  const [one, two] = await Promise.all([site.as(account), site.as(other)]);
  await one.requestFriendship(other);
  await two.requestFriendship(account);
}

longTest.each([320, 1280])('shows channels to an account without conversations, %s pixels wide', async (width) => {
  const window = await site.signedIn('frank', await site.newContext({ viewport: { width, height: 640 } }));
  await window.page.locator('button:visible').getByText('Channels', { exact: true }).click();
  await window.page.getByRole('tab', { name: 'Channels', selected: true }).waitFor();
  await window.page.locator('waggle-channels').waitFor();
});

describe('people', () => {
  it('are picked from suggestions by the keyboard: friends, then others, the most recent first', async () => {
    await befriend('alice', 'grace');
    await site.createGroup('Older', 'heidi', ['alice']);
    await (await site.as('bob')).sendTo('alice', 'newer');
    const alice = await site.signedIn('alice');
    const { page } = alice;
    await alice.openNewConversation();
    await untilFocused(field(alice));
    await until(async () => (await options(alice)).join() === 'grace,bob,heidi', { actual: () => options(alice) });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await field(alice).getAttribute('aria-expanded')).toBe('true');
    await untilActive(alice, null);
    await page.keyboard.press('ArrowUp');
    await untilActive(alice, 'heidi');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await untilChips(alice, 'grace');
    await page.getByRole('status').getByText('grace added').waitFor();
    await page.getByRole('option', { name: 'grace', selected: true }).waitFor();
    await page.keyboard.type('ei');
    await untilActive(alice, 'heidi');
    await page.keyboard.press('Enter');
    await untilChips(alice, 'grace', 'heidi');
    await page.keyboard.press('Backspace');
    await untilChips(alice, 'grace');
    await page.getByRole('status').getByText('heidi removed').waitFor();
    await page.getByRole('option', { name: 'bob' }).click();
    await untilChips(alice, 'grace', 'bob');
    expect(await isFocused(field(alice))).toBe(true);
    await page.getByRole('heading', { name: 'New group · 2', exact: true }).waitFor();
    await page.keyboard.press('Backspace');
    await page.getByRole('heading', { name: 'New conversation', exact: true }).waitFor();
    await page.getByRole('option', { name: 'bob' }).click();
    await alice.press('Remove grace');
    await untilChips(alice, 'bob');
    await untilFocused(field(alice));
    // Escape clears what is typed; the next one closes the form.
    await page.keyboard.type('x');
    await page.keyboard.press('Escape');
    expect(await field(alice).inputValue()).toBe('');
    await page.keyboard.press('Enter');
    await untilFocused(message(alice));
  });

  longTest('are added by a comma, a space, Enter and when the field loses the focus', async () => {
    const carol = await site.signedIn('carol');
    const { page } = carol;
    await carol.openNewConversation();
    await page.keyboard.type('bob,@Dave ');
    await untilChips(carol, 'bob', 'dave');
    await page.keyboard.type('erin');
    await page.keyboard.press('Enter');
    await page.keyboard.type('frank');
    await message(carol).focus();
    await untilChips(carol, 'bob', 'dave', 'erin', 'frank');
    await field(carol).fill('grace; heidi ivan');
    await untilChips(carol, 'bob', 'dave', 'erin', 'frank', 'grace', 'heidi');
    expect(await field(carol).inputValue()).toBe('ivan');
  });

  longTest('are checked while they are typed, once the user pauses', async () => {
    const dave = await site.signedIn('dave');
    const { page } = dave;
    const [requested, aborted]: [string[], string[]] = [[], []];
    await page.route('**/users/account?**', async (route) => {
      const name = new URL(route.request().url()).searchParams.get('username') ?? '';
      requested.push(name);
      // Until it is aborted.
      if (name !== 'jud') await route.continue();
    });
    page.on('requestfailed', (request) => aborted.push(new URL(request.url()).search));
    await dave.openNewConversation();
    await page.keyboard.type('jud');
    await until(() => requested.length > 0);
    await page.getByRole('option', { name: 'jud Checking…' }).waitFor();
    await page.keyboard.type('y');
    await page.getByRole('option', { name: 'judy Exists on Hive' }).waitFor();
    await until(() => aborted.includes('?username=jud'));
    await page.keyboard.type('-2');
    await page.getByRole('status').getByText('judy-2 does not exist on Hive.').waitFor();
    expect(await options(dave)).toEqual([]);
    expect(requested).toEqual(['jud', 'judy', 'judy-2']);
    await page.keyboard.press('Enter');
    await untilChips(dave, 'judy-2');
    await page.getByRole('alert').getByText('judy-2 does not exist on Hive.').waitFor();
    expect(await page.locator('.chip.invalid').count()).toBe(1);
    await dave.fill('First message', 'Hello?');
    await dave.submit.click();
    await untilFocused(field(dave));
    expect(await message(dave).inputValue()).toBe('Hello?');
    await page.keyboard.press('Backspace');
    await until(async () => (await page.getByRole('alert').count()) === 0);
  });

  longTest('are not checked if the service cannot: it decides when the message is sent', async () => {
    const erin = await site.signedIn('erin');
    await erin.page.route('**/users/account?**', (route) => route.fulfill({ status: 404 }));
    await erin.openNewConversation();
    await erin.page.keyboard.type('grace');
    await erin.page.getByRole('option', { name: 'grace', exact: true }).waitFor();
    await erin.beginWith('grace', 'Not checked');
    await erin.message('Not checked').waitFor();
  });

  it('have a dm already, which is opened', async () => {
    await (await site.as('frank')).sendTo('heidi', 'First of all');
    const heidi = await site.signedIn('heidi');
    await heidi.openNewConversation();
    await heidi.pick('frank');
    await heidi.page.getByText('You and frank have a conversation already.').waitFor();
    await heidi.press('Open conversation');
    await heidi.message('First of all').waitFor();
    await heidi.write('frank', 'Second');
    expect(await heidi.texts()).toEqual(['First of all', 'Second']);
  });

  it('become a group with a name', async () => {
    const ivan = await site.signedIn('ivan');
    const { page } = ivan;
    await ivan.openNewConversation();
    await ivan.pick('judy grace');
    await ivan.fill('Group name', 'Night shift');
    await ivan.fill('First message', 'Who is awake?');
    await page.reload();
    // The draft.
    await untilChips(ivan, 'judy', 'grace');
    expect(await page.getByLabel('Group name').inputValue()).toBe('Night shift');
    await ivan.press('Create group');
    await page.getByRole('heading', { name: 'Night shift' }).waitFor();
    await ivan.message('Who is awake?').waitFor();
  });

  longTest('need a first message, whose error is at its field', async () => {
    const frank = await site.signedIn('frank');
    await frank.openNewConversation();
    await frank.pick('bob carol');
    await frank.press('Create group');
    await frank.page.getByRole('alert').getByText('Write the first message.').waitFor();
    await untilFocused(message(frank));
    expect(await message(frank).getAttribute('aria-invalid')).toBe('true');
    await message(frank).fill('x'.repeat(4001));
    await frank.press('Create group');
    await frank.page.getByRole('alert').getByText('1 character too many').waitFor();
    await untilFocused(message(frank));
    await message(frank).fill('Enough');
    await frank.press('Create group');
    await frank.message('Enough').waitFor();
  });

  longTest('are a group once, even if its name is rejected', async () => {
    const judy = await site.signedIn('judy');
    await judy.openNewConversation();
    await judy.pick('bob carol');
    await judy.fill('Group name', 'two  spaces');
    await judy.fill('First message', 'Only once');
    await judy.press('Create group');
    await judy.page.getByRole('alert').getByText('This is not valid.').waitFor();
    await judy.page.getByText('The group was created, but not named.').waitFor();
    await judy.fill('Group name', 'one space');
    await judy.press('Save');
    await judy.page.getByRole('heading', { name: 'one space' }).waitFor();
    const conversations = await (await site.as('judy')).api.conversations();
    expect(conversations.filter(({ creator }) => creator === 'judy')).toHaveLength(1);
  });

  longTest('have targets of 44 pixels on a touch screen', async () => {
    const context = await site.newContext({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
    const grace = await site.signedIn('grace', context);
    await grace.openNewConversation();
    await grace.pick('bob carol');
    const sizes = await grace.page
      .locator('waggle-new-conversation')
      .locator('.chip, [role="option"], .primary, [role="tab"]')
      .evaluateAll((targets) =>
        targets.map((target) => {
          const { top, bottom, left, width } = target.getBoundingClientRect();
          const root = target.getRootNode();
          // The space around a chip belongs to it.
          const isHit = (y: number) =>
            root instanceof ShadowRoot && target.contains(root.elementFromPoint(left + width / 2, y));
          const [above, below] = [isHit(top - 3.5), isHit(bottom + 3.5)];
          return bottom - top + (above ? 4 : 0) + (below ? 4 : 0);
        }),
      );
    expect(sizes.length).toBeGreaterThan(4);
    expect(sizes.filter((size) => size < 44)).toEqual([]);
  });
});

describe('channels', () => {
  it('are listed: joined, followed and created ones', async () => {
    const [alice, bob] = await Promise.all([site.as('alice'), site.as('bob')]);
    const left = await bob.api.createChannel('Left');
    await bob.leave(left.id);
    const followed = await alice.api.createChannel('Followed');
    const window = await site.signedIn('bob');
    const { page } = window;
    await page.goto(`${site.url}/app/#/${followed.id}`);
    await window.composer.waitFor();
    await window.openChannels();
    const entries = page.locator('waggle-channels .entry');
    await entries.filter({ hasText: 'Left' }).getByText('created by you').waitFor();
    expect(await entries.locator('.ellipsis').allInnerTexts()).toEqual(['Followed', 'Left']);
    expect(await accessibilityViolations(page)).toEqual([]);
    await entries.filter({ hasText: 'Left' }).click();
    await page.getByRole('heading', { name: 'Left' }).waitFor();
  });

  longTest('are a tab that arrow keys open', async () => {
    const carol = await site.signedIn('carol');
    await carol.openNewConversation();
    const [people, channels] = [
      carol.page.getByRole('tab', { name: 'People' }),
      carol.page.getByRole('tab', { name: 'Channels' }),
    ];
    await people.focus();
    await people.press('ArrowRight');
    await untilFocused(channels);
    await carol.page.getByText('Channels that you create').waitFor();
    await channels.press('ArrowLeft');
    await untilFocused(people);
    await field(carol).waitFor();
  });
});
