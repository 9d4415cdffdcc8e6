import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

it('shows Markdown in messages, and the text without it elsewhere', async () => {
  await site.createGroup('Formats', 'bob', ['alice']);
  const alice = await site.signedIn('alice');
  await alice.openConversation('Formats');
  const text = [
    '**Bold** and *italic*, ~~gone~~ with `@code`',
    '> quoted',
    '1. one',
    '   - inside',
    '```',
    '@alice https://hive.io <b>x</b>',
    '```',
  ].join('\n');
  await alice.message('Welcome to Formats').first().waitFor();
  const bob = await site.as('bob');
  const [conversation] = await bob.api.conversations();
  const { id } = await bob.send(conversation?.id ?? '', text);
  const message = alice.message('italic').first();
  const shown = (selector: string) => message.locator('.text').locator(selector).allTextContents();
  await message.waitFor();
  expect(await shown('strong')).toEqual(['Bold']);
  expect(await shown('em')).toEqual(['italic']);
  expect(await shown('del')).toEqual(['gone']);
  expect(await shown('p > code')).toEqual(['@code']);
  expect(await shown('blockquote')).toEqual(['quoted']);
  expect(await shown('ol > li > ul > li')).toEqual(['inside']);
  expect(await shown('pre')).toEqual(['@alice https://hive.io <b>x</b>']);
  expect(await shown('a, b')).toEqual([]);
  const plain = 'Bold and italic, gone with @code quoted 1. one • inside @alice https://hive.io <b>x</b>';
  await alice.entry('Formats').getByText(`bob: ${plain}`).waitFor();
  const announced = await alice.page.locator('[role="log"] p').last().textContent();
  expect(announced?.replaceAll(/\s+/g, ' ')).toContain(plain);
  await bob.send(conversation?.id ?? '', 'An answer', { replyTo: id });
  await alice.message('An answer').locator('.quoted').getByText('Bold and italic, gone with').waitFor();
  expect(await accessibilityViolations(alice.page)).toEqual([]);
});

it('shows which host a link with a label opens', async () => {
  await site.createGroup('Labels', 'bob', ['alice']);
  const alice = await site.signedIn('alice');
  await alice.openConversation('Labels');
  await alice.send('[my \u202ebank](https://evil.example/login) or [hive.blog/@alice](https://evil.example/2)');
  await alice.message('evil').getByLabel('Sent').waitFor();
  const links = alice.message('evil').getByRole('link');
  const [label, ...others] = await links.allTextContents();
  expect(label?.trim()).toBe('my \u202ebank (evil.example)');
  expect(others).toEqual(['hive.blog/@alice', 'https://evil.example/2']);
  const attributes = ['href', 'title', 'target', 'rel'].map((name) => links.first().getAttribute(name));
  const href = 'https://evil.example/login';
  expect(await Promise.all(attributes)).toEqual([href, href, '_blank', 'noopener noreferrer nofollow']);
  // The label does not turn the host around.
  const host = await links.first().locator('.host').boundingBox();
  const start = await links.first().boundingBox();
  expect(host?.x).toBeGreaterThan((start?.x ?? Infinity) + 20);
});

it('lets the page open links', async () => {
  await site.createGroup('Requests', 'bob', ['alice']);
  const alice = await site.signedIn('alice');
  await alice.openConversation('Requests');
  await alice.page.locator('waggle-chat').evaluate((chat) => {
    chat.addEventListener('link-requested', (event) => {
      event.preventDefault();
      if (event instanceof CustomEvent) chat.setAttribute('data-requested', JSON.stringify(event.detail));
    });
  });
  await alice.send('@bob in #hive-12345');
  await alice.message('hive-12345').getByLabel('Sent').waitFor();
  const pages = alice.page.context().pages().length;
  for (const [name, detail] of [
    ['@bob', { href: 'https://hive.blog/@bob', account: 'bob' }],
    ['#hive-12345', { href: 'https://hive.blog/trending/hive-12345', community: 'hive-12345' }],
  ] as const) {
    await alice.message('hive-12345').getByRole('link', { name }).click();
    const requested = await alice.page.locator('waggle-chat').getAttribute('data-requested');
    expect(JSON.parse(requested ?? '')).toEqual(detail);
  }
  expect(alice.page.context().pages()).toHaveLength(pages);
});
