import { until } from '@waggle/testing';
import { isLong, longTest } from '@waggle/testing/long-form';
import type { Route } from 'playwright-core';
import { fillHistory } from '../src/bench/history-rows';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

/** Messages of the burst; the instance is killed during it. */
const burst = isLong ? 2_000 : 40;

const overloaded = { status: 503, body: JSON.stringify({ code: 'unavailable', message: 'overloaded' }) };

it('delivers messages between two accounts, and shows their delivery status', async () => {
  await (await site.as('carol')).sendTo('alice', 'Good morning');
  const [alice, carol] = await Promise.all([site.signedIn('alice'), site.signedIn('carol')]);
  await until(async () => (await alice.page.title()) === '(1) Waggle');
  await alice.entry('carol').getByLabel('1 unread message').waitFor();
  await alice.openConversation('carol');
  await until(async () => (await alice.page.title()) === 'Waggle');
  await alice.send('Are you there?');
  await alice.message('Are you there?').getByLabel('Sent').waitFor();
  await carol.openConversation('alice');
  await carol.message('Are you there?').waitFor();
  await alice.message('Are you there?').getByLabel('Read').waitFor();
  await carol.composer.pressSequentially('Ye');
  await alice.page.getByText('carol is typing…').first().waitFor();
  await carol.send('Yes!');
  await alice.message('Yes!').waitFor();
  await alice.openDetails();
  await alice.press('Hide conversation');
  await alice.confirm('Hide conversation');
  await until(async () => (await alice.entry('carol').count()) === 0);
  await carol.send('Are you there?');
  await alice.entry('carol').getByText('Are you there?').waitFor();
});

longTest('counts unread messages in a hidden tab', async () => {
  const id = await site.createGroup('Hidden', 'bob', ['erin']);
  const erin = await site.signedIn('erin');
  await until(async () => (await erin.page.title()) === '(1) Waggle');
  // Browsers render no frames of hidden tabs.
  await erin.page.evaluate(() => {
    globalThis.requestAnimationFrame = () => 0;
  });
  await (await site.as('bob')).send(id, 'Hello');
  await until(async () => (await erin.page.title()) === '(2) Waggle');
});

longTest('announces each new message of others to screen readers, even if several arrive at once', async () => {
  const id = await site.createGroup('Aloud', 'bob', ['grace']);
  const [bob, grace] = await Promise.all([site.as('bob'), site.signedIn('grace')]);
  await grace.openConversation('Aloud');
  await grace.message('Welcome to Aloud').waitFor();
  const texts = Array.from({ length: 10 }, (_, index) => `at once ${index}`);
  await Promise.all(texts.map((text) => bob.send(id, text)));
  await grace.message('at once 9').waitFor();
  const announced = grace.page.locator('waggle-message-list [role="log"] p');
  expect(await announced.allTextContents()).toEqual(texts.map((text) => `bob: ${text}`));
});

it('keeps session, conversation and draft after a reload', async () => {
  await site.createGroup('Drafts', 'alice', ['bob']);
  const alice = await site.signedIn('alice');
  await alice.openConversation('Drafts');
  await alice.composer.fill('half a sent');
  await alice.page.reload();
  await alice.message('Welcome to Drafts').waitFor();
  await until(async () => (await alice.composer.inputValue()) === 'half a sent');
});

longTest('shows the same in two tabs, which sign in and out together', async () => {
  await site.createGroup('Tabs', 'alice', ['bob']);
  const context = await site.newContext();
  const [first, second] = [await site.open(context), await site.open(context)];
  await first.signIn('alice');
  await second.conversations.waitFor();
  await first.openConversation('Tabs');
  await second.openConversation('Tabs');
  await first.send('from the first tab');
  await second.message('from the first tab').waitFor();
  await second.send('from the second tab');
  await first.message('from the second tab').waitFor();
  expect(await first.texts()).toEqual(await second.texts());
  await first.openSettings();
  await first.press('Sign out');
  await second.page.getByRole('button', { name: 'alice', exact: true }).waitFor();
});

it('sends messages that were written offline once the network is back', async () => {
  await site.createGroup('Offline', 'alice', ['bob']);
  const context = await site.newContext();
  const [alice, bob] = await Promise.all([site.signedIn('alice', context), site.signedIn('bob')]);
  await alice.openConversation('Offline');
  await bob.openConversation('Offline');
  await context.setOffline(true);
  await alice.page.getByText('You are offline').waitFor();
  await alice.send('written offline');
  await alice.message('written offline').getByLabel('Sending').waitFor();
  await context.setOffline(false);
  await bob.message('written offline').waitFor();
  await alice.message('written offline').getByLabel('Sent').waitFor();
});

longTest('keeps a first message that is refused, and sends it again', async () => {
  const bob = await site.as('bob');
  await bob.api.changeSettings({ dm: { only_from_friends: true } });
  const context = await site.newContext();
  const ivan = await site.signedIn('ivan', context);
  await ivan.openNewConversation();
  await ivan.beginWith('nobody-there', 'to a misspelt account');
  await ivan.page.getByText('nobody-there does not exist').first().waitFor();
  expect(await ivan.page.getByLabel('First message').inputValue()).toBe('to a misspelt account');
  await ivan.press('Back');
  await ivan.openNewConversation();
  expect(await ivan.page.getByLabel('First message').inputValue()).toBe('to a misspelt account');
  await ivan.press('Back');
  await context.setOffline(true);
  await ivan.page.getByText('You are offline').waitFor();
  await ivan.openNewConversation();
  await ivan.press('Remove nobody-there');
  await ivan.beginWith('bob', 'Please read this');
  await ivan.press('Back');
  const unsent = ivan.conversations.getByRole('list', { name: 'Unsent messages' });
  await unsent.getByText('Sending').waitFor();
  await context.setOffline(false);
  await unsent.getByText('Not sent: bob accepts messages from friends only').waitFor();
  await ivan.page.reload();
  await unsent.getByText('Please read this').waitFor();
  expect(await accessibilityViolations(ivan.page)).toEqual([]);
  await bob.api.changeSettings({ dm: { only_from_friends: false } });
  await ivan.press('Send again');
  await ivan.entry('bob').waitFor();
  await until(async () => (await unsent.count()) === 0);
});

longTest('says why nothing can be loaded, and loads it when that is possible', async () => {
  await site.createGroup('Loaded', 'frank', ['bob']);
  const context = await site.newContext();
  let isDown = true;
  await context.routeWebSocket(/\/ws$/, (socket) => {
    if (isDown) void socket.close();
    else socket.connectToServer();
  });
  await context.route('**/app/config.json', (route) => route.abort(), { times: 1 });
  await context.route('**/messages/chats**', (route) => route.fulfill(overloaded));
  // The accounts of the devnet come with the second request.
  const frank = await site.open(context);
  await frank.page.evaluate(() => {
    document.body.append(document.createElement('waggle-composer'));
  });
  await frank.send('nobody is signed in');
  expect(await frank.composer.inputValue()).toBe('nobody is signed in');
  await frank.page.locator('body > waggle-composer').evaluate((composer) => {
    composer.remove();
  });
  await frank.signIn('frank');
  const failure = frank.conversations.getByRole('status').getByText('The service cannot be reached');
  await failure.waitFor();
  await context.route('**/messages/conversations**', (route) => route.fulfill({ status: 403 }));
  isDown = false;
  await frank.press('Try again');
  await frank.conversations.getByText('Something went wrong').waitFor();
  await context.unroute('**/messages/conversations**');
  await frank.press('Try again');
  await frank.openConversation('Loaded');
  await frank.page.getByText('The messages could not be loaded').waitFor();
  await context.unroute('**/messages/chats**');
  await site.stop();
  await frank.page.getByText('Reconnecting').first().waitFor();
  await site.startInstance();
  await frank.message('Welcome to Loaded').waitFor();
});

it('creates, renames, shares and leaves groups, and deletes messages', async () => {
  const [ivan, judy] = await Promise.all([site.signedIn('ivan'), site.signedIn('judy')]);
  await ivan.write('judy frank', 'A group of three');
  await judy.page.getByText('A group of three').first().click();
  await judy.message('A group of three').waitFor();
  await ivan.openDetails();
  await ivan.press('Change the name');
  await ivan.page.locator('waggle-conversation-details #name').fill('Three bees');
  await ivan.press('Save');
  await judy.page.getByRole('heading', { name: 'Three bees' }).waitFor();
  await ivan.chooseForMember('judy', 'Make moderator');
  await ivan.chooseForMember('judy', 'Remove as moderator');
  await ivan.press('Add member');
  await ivan.page.locator('waggle-conversation-details #member').fill('grace');
  await ivan.press('Add');
  await ivan.chooseForMember('grace', 'Remove');
  await ivan.confirm('Remove');
  // Its line moves the messages.
  await ivan.page.locator('.change').getByText('ivan removed grace').waitFor();
  await ivan.chooseForMessage('A group of three', 'Delete message');
  await ivan.confirm('Delete');
  await until(async () => (await judy.message('A group of three').count()) === 0);
  await judy.openDetails();
  await judy.press(/^Leave/);
  await judy.confirm(/^Leave/);
  await until(async () => (await judy.entry('Three bees').count()) === 0);
});

longTest('emits its own events only, and none of its parts', async () => {
  await site.createGroup('Inner', 'bob', ['dave']);
  const [bob, dave] = await Promise.all([site.as('bob'), site.as('dave')]);
  await bob.requestFriendship('dave');
  await dave.requestFriendship('bob');
  const window = await site.signedIn('dave');
  await window.page.evaluate(() => {
    const { dataset } = document.documentElement;
    const names = ['account-selected', 'conversation-left', 'conversation-selected', 'delete-requested'];
    for (const name of names)
      document.addEventListener(name, () => (dataset['emitted'] = `${dataset['emitted'] ?? ''} ${name}`));
  });
  await window.openPeople();
  await window.press('Message to bob');
  await window.press('Back');
  await window.press('Back');
  await window.openConversation('Inner');
  await window.send('in vain');
  await window.chooseForMessage('in vain', 'Delete message');
  await window.confirm('Delete');
  await until(async () => (await window.message('in vain').count()) === 0);
  await window.openDetails();
  await window.press(/^Leave/);
  await window.confirm(/^Leave/);
  await until(async () => (await window.entry('Inner').count()) === 0);
  const emitted = await window.page.evaluate(() => document.documentElement.dataset['emitted']?.trim().split(' '));
  expect(emitted).toEqual(['conversation-selected', 'conversation-selected']);
});

longTest('accepts a first message of as many characters as the service', async () => {
  const erin = await site.signedIn('erin');
  const bees = '🐝'.repeat(4_000);
  await erin.openNewConversation();
  await erin.beginWith('frank', `${bees}🐝`);
  await erin.page.getByRole('alert').getByText('1 character too many').waitFor();
  await erin.press('Back');
  await erin.write('frank', bees);
  expect(await erin.texts()).toEqual([bees]);
});

longTest('shows a message that arrives while the conversation is fetched', async () => {
  const id = await site.createGroup('Fetched', 'bob', ['alice', 'grace']);
  const [alice, bob, grace] = await Promise.all([site.signedIn('alice'), site.as('bob'), site.as('grace')]);
  await alice.openConversation('Fetched');
  const deleted = await bob.send(id, 'deleted');
  await alice.message('deleted').waitFor();
  const sendFirst = async (route: Route): Promise<void> => {
    await grace.send(id, 'meanwhile');
    await route.continue();
  };
  // Once, because a slow request is repeated.
  await alice.page.route(/\/messages\/conversation\?/, sendFirst, { times: 1 });
  await bob.deleteMessage(deleted.id);
  await alice.message('meanwhile').waitFor();
  expect(await alice.texts()).toEqual(['Welcome to Fetched', 'meanwhile']);
});

longTest('drops a group from which the account is removed before it is fetched', async () => {
  const [bob, judy] = await Promise.all([site.as('bob'), site.signedIn('judy')]);
  const id = await site.createGroup('Brief', 'bob', ['grace']);
  const removeFirst = async (route: Route) => {
    await bob.removeMember(id, 'judy');
    await route.continue();
  };
  await judy.page.route(/\/messages\/conversation\?/, removeFirst, { times: 1 });
  const response = judy.page.waitForResponse(/\/messages\/conversation\?/);
  await bob.addMember(id, 'judy');
  expect((await response).status()).toBe(404);
  await until(async () => (await judy.entry('Brief').count()) === 0);
});

it('opens a channel by its link, without being a member, until it is left on another device', async () => {
  const context = await site.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const [ivan, judy] = await Promise.all([site.signedIn('ivan', context), site.signedIn('judy')]);
  await ivan.openChannels();
  await ivan.page.locator('waggle-channels #channel').fill('Open hive');
  await ivan.press('Create');
  await ivan.composer.waitFor();
  const address = ivan.page.url();
  const id = address.slice(address.lastIndexOf('/') + 1);
  await judy.page.route(/\/messages\/conversation\?/, (route) => route.fulfill(overloaded));
  await judy.page.goto(address);
  await judy.page.getByText('The service cannot do this now').waitFor();
  await judy.page.unrouteAll();
  await judy.press('Try again');
  await ivan.send('Welcome');
  await judy.message('Welcome').waitFor();
  await judy.send('Thank you');
  await ivan.message('Thank you').waitFor();
  await (await site.as('judy')).leave(id);
  await judy.page.locator('waggle-conversation').getByText('You no longer follow this channel').waitFor();
  await judy.page.goto(`${site.url}/app/`);
  await judy.page.getByText('No conversations yet').waitFor();
  await ivan.openDetails();
  await ivan.press(/Copy link$/);
  const copied = () => ivan.page.evaluate(() => navigator.clipboard.readText());
  await until(async () => (await copied()) === address);
  await judy.openChannels();
  await judy.page.locator('waggle-channels #link').fill(await copied());
  await judy.press('Open');
  await judy.message('Welcome').waitFor();
  await judy.openDetails();
  const members = judy.page.locator('waggle-conversation-details .member .ellipsis');
  await until(async () => (await members.allTextContents()).join() === 'ivan');
  expect(await judy.page.getByRole('button', { name: 'Show all' }).count()).toBe(0);
});

longTest('copies a message on a page without TLS', async () => {
  const context = await site.newContext();
  await context.addInitScript(() => {
    Object.defineProperty(globalThis, 'isSecureContext', { value: false });
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
  });
  await site.createGroup('Copies', 'carol', ['judy']);
  const carol = await site.signedIn('carol', context);
  await carol.openConversation('Copies');
  await carol.send('word for word');
  await carol.chooseForMessage('word for word', 'Copy text');
  await carol.composer.focus();
  await carol.page.keyboard.press('ControlOrMeta+V');
  await until(async () => (await carol.composer.inputValue()) === 'word for word');
});

it('shows hostile text as text', async () => {
  const id = await site.createGroup('Hostile', 'bob', ['alice']);
  const alice = await site.signedIn('alice');
  const dialogs: string[] = [];
  alice.page.on('dialog', (dialog) => dialogs.push(dialog.message()));
  await alice.openConversation('Hostile');
  const hostile = [
    '<img src=x onerror=alert(1)><script>alert(2)</script>',
    'javascript:alert(3) and data:text/html,<script>alert(4)</script>',
    'to the right \u202eevil txt.exe',
    `Z${'\u0301'.repeat(3_999)}`,
    'see \u202ehttps://example.org/moc.knab',
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
  // Characters before a link do not reverse it.
  const isReversed = await alice
    .message('example.org')
    .getByRole('link')
    .evaluate(({ lastChild: text }) => {
      const leftOf = (index: number) => {
        const range = document.createRange();
        range.setStart(text ?? document, index);
        range.setEnd(text ?? document, index + 1);
        return range.getBoundingClientRect().left;
      };
      return leftOf(0) > leftOf(10);
    });
  expect(isReversed).toBe(false);
  // A pile of combining marks does not cover its neighbours.
  const [pile, next] = await Promise.all([
    alice.message('Z\u0301').boundingBox(),
    alice.message('example.com').boundingBox(),
  ]);
  expect((pile?.y ?? 0) + (pile?.height ?? 0)).toBeLessThanOrEqual((next?.y ?? 0) + 1);
  // A name without a possible line break does not widen the details.
  const bob = await site.as('bob');
  await bob.rename(id, `Z${'\u20dd'.repeat(30)}${'Z'.repeat(33)}`);
  await alice.openDetails();
  const details = alice.page.locator('waggle-conversation-details');
  await details.locator('h2').filter({ hasText: 'Z\u20dd' }).waitFor();
  expect(await details.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  expect(dialogs).toEqual([]);
});

longTest('opens a link with the keyboard', async () => {
  await site.createGroup('Links', 'bob', ['alice']);
  const alice = await site.signedIn('alice');
  await alice.openConversation('Links');
  const { origin } = new URL(alice.page.url());
  await alice.send(`${origin}/element.js`);
  // The sent message replaces the outgoing one, which loses the focus.
  await alice.message('element.js').getByLabel('Sent').waitFor();
  const link = alice.message('element.js').getByRole('link');
  const [opened] = await Promise.all([alice.page.context().waitForEvent('page'), link.press('Enter')]);
  await opened.waitForURL(`${origin}/element.js`);
});

longTest('links mentions and addresses without a scheme', async () => {
  await site.createGroup('Mentions', 'bob', ['alice']);
  const alice = await site.signedIn('alice');
  await alice.openConversation('Mentions');
  await alice.send('שלח ל@good-karma, או www.hive.blog');
  await alice.message('good-karma').getByLabel('Sent').waitFor();
  const links = alice.message('good-karma').getByRole('link');
  expect(await links.allTextContents()).toEqual(['@good-karma', 'www.hive.blog']);
  const attributes = await links.evaluateAll((all) =>
    all.map((link) => ['href', 'dir', 'target', 'rel'].map((name) => link.getAttribute(name))),
  );
  const others = ['ltr', '_blank', 'noopener noreferrer nofollow'];
  expect(attributes).toEqual([
    ['https://hive.blog/@good-karma', ...others],
    ['https://www.hive.blog/', ...others],
  ]);
});

it('scrolls through a long history with only few messages in the page', async () => {
  const count = isLong ? 100_000 : 10_000;
  await fillHistory(site.databaseUrl, ['heidi', 'frank'], count);
  const heidi = await site.signedIn('heidi');
  await heidi.openConversation('frank');
  await heidi.message(`message ${count}`).first().waitFor();
  const oldest = isLong ? 1 : count - 500;
  await heidi.scrollUpTo(oldest);
  const numbers = (await heidi.texts()).map((text) => Number(/\d+/.exec(text)?.[0]));
  const [first = 0] = numbers;
  expect(first).toBeLessThanOrEqual(oldest);
  expect(numbers).toEqual(numbers.map((_, index) => first + index));
  expect(numbers.length).toBeLessThanOrEqual(250);
  expect(await heidi.markersPerRow()).toBeLessThanOrEqual(2.5);
  // The list may still move, for example because an older page arrives.
  await heidi.page.getByRole('button', { name: 'Go to the newest message' }).evaluate((button) => {
    if (button instanceof HTMLElement) button.click();
    button.parentNode?.querySelector('.scroller')?.scrollTo(0, 0);
  });
  const newest = heidi.message(`message ${count}`).first();
  await newest.waitFor();
  // The end stays shown if the page moves the list and then changes its size.
  await heidi.page.locator('waggle-message-list').evaluate((list) => {
    list.parentNode?.insertBefore(list, list.nextElementSibling);
  });
  for (const height of [700, 400]) {
    await heidi.page.setViewportSize({ width: 1_280, height });
    await until(() => newest.evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight));
  }
  // What is missing below the others is loaded again on request.
  await heidi.scrollUpTo(count - 300);
  await heidi.page.route(/\/messages\/chats\?.*after_seq=/, (route) => route.fulfill(overloaded));
  await heidi.scrollToEnd();
  await heidi.page.locator('waggle-message-list ol + [role="alert"]').waitFor();
  await heidi.page.unrouteAll();
  await heidi.press('Try again');
  await until(async () => {
    await heidi.scrollToEnd();
    return (await newest.count()) > 0;
  });
});

longTest('keeps the messages in place that are shown while older ones are loaded', async () => {
  const id = await site.createGroup('Steady', 'bob', ['judy']);
  const bob = await site.as('bob');
  await Promise.all(Array.from({ length: 120 }, (_, index) => bob.send(id, `message ${index + 1}`)));
  await (await site.as('judy')).acknowledge(id);
  const judy = await site.signedIn('judy');
  await judy.openConversation('Steady');
  const shown = judy.message('message 80');
  await shown.waitFor();
  const topOf = () => shown.evaluate((row) => row.getBoundingClientRect().top);
  await shown.evaluate((row) => {
    row.scrollIntoView();
  });
  const top = await topOf();
  await judy.message('message 50').waitFor();
  expect(Math.abs((await topOf()) - top)).toBeLessThan(2);
});

longTest('shows the end of a conversation that is opened again', async () => {
  const count = 300;
  const id = await site.createGroup('Long', 'bob', ['grace']);
  await site.createGroup('Short', 'bob', ['grace']);
  const bob = await site.as('bob');
  await Promise.all(Array.from({ length: count }, (_, index) => bob.send(id, `message ${index + 1}`)));
  const grace = await site.signedIn('grace');
  const newest = grace.message(`message ${count}`);
  const openAgain = async () => {
    await grace.openConversation('Short');
    await grace.message('Welcome to Short').waitFor();
    await grace.openConversation('Long');
    await newest.waitFor();
    await until(() => newest.evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight));
    await until(
      async () =>
        (await grace
          .entry('Long')
          .getByLabel(/unread/)
          .count()) === 0,
    );
  };
  await grace.openConversation('Long');
  await grace.page.getByText('New messages').waitFor();
  await grace.press(/^Go to the newest message/);
  await grace.press('Mark as read');
  await openAgain();
  expect(await grace.page.getByText('New messages').count()).toBe(0);
  await grace.scrollUpTo(1);
  await until(async () => (await newest.count()) === 0);
  await openAgain();
  // The pages between were not loaded.
  expect((await grace.texts()).length).toBeLessThanOrEqual(100);
});

it('ends with each message once and in order if the instance is killed during a burst', async () => {
  const id = await site.createGroup('Burst', 'alice', ['bob']);
  const [alice, bob] = await Promise.all([site.signedIn('alice'), site.signedIn('bob')]);
  await alice.openConversation('Burst');
  await bob.openConversation('Burst');
  const texts = Array.from({ length: burst }, (_, index) => `burst ${index}`);
  const sending = (async () => {
    for (const text of texts) await alice.send(text);
  })();
  await bob.message('burst 3').first().waitFor();
  await site.kill();
  await alice.page.getByText('Reconnecting').first().waitFor();
  await site.startInstance();
  await sending;
  for (const window of [alice, bob]) {
    await window.message(texts.at(-1) ?? '').waitFor();
    await until(async () => (await window.page.getByLabel('Sending').count()) === 0);
    const shown = (await window.texts()).filter((text) => text.startsWith('burst'));
    expect(shown.length).toBeGreaterThanOrEqual(Math.min(burst, 200));
    expect(shown).toEqual(texts.slice(-shown.length));
  }
  const stored: string[] = [];
  for await (const { content } of (await site.as('bob')).api.history(id)) stored.unshift(content);
  expect(stored.slice(1)).toEqual(texts);
});

longTest('sends messages that were written during an outage from the next page load', async () => {
  const id = await site.createGroup('Left', 'carol', ['alice']);
  const context = await site.newContext();
  const alice = await site.signedIn('alice', context);
  await alice.openConversation('Left');
  await site.stop();
  await alice.send('left behind');
  await alice.message('left behind').getByLabel('Sending').waitFor();
  await alice.page.close();
  await site.startInstance();
  await site.open(context);
  const { api } = await site.as('carol');
  await until(async () => (await api.historyPage(id)).messages.some(({ content }) => content === 'left behind'));
});

longTest('shows the actions of a message below it where there is no space beside it', async () => {
  const [bob, grace] = [await site.as('bob'), await site.as('grace')];
  await bob.sendTo('grace', 'The first of two lines that need the whole width');
  const { conversation_id: id } = await grace.sendTo('bob', 'The last line');
  const context = await site.newContext({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  const window = await site.signedIn('bob', context);
  await window.page.goto(`${site.url}/app/#/${id}`);
  const message = window.message('The last line');
  const reply = message.getByLabel('Reply', { exact: true });
  await message.waitFor();
  expect(await reply.isVisible()).toBe(false);
  await message.tap();
  await reply.waitFor();
  const boxes = await Promise.all(
    [message.locator('.bubble'), reply, window.composer].map((each) => each.boundingBox()),
  );
  const [bubble, button, composer] = boxes.map((box) => ({
    top: box?.y ?? NaN,
    bottom: (box?.y ?? 0) + (box?.height ?? NaN),
  }));
  expect(button?.top).toBeGreaterThanOrEqual(bubble?.bottom ?? NaN);
  expect(button?.bottom).toBeLessThanOrEqual(composer?.top ?? NaN);
});
