import { type BrowserContext } from 'playwright-core';
import { type ChatWindow } from '../src/chat-window';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';
import { untilFocused } from './support/focus';

const site = ChatSite.forTests();

/** Opens a dm of the account with bob, who writes texts. @returns also the ids of the messages */
async function openWith(
  account: string,
  texts: readonly string[],
  context?: BrowserContext,
): Promise<{ window: ChatWindow; ids: string[] }> {
  const bob = await site.as('bob');
  const ids: string[] = [];
  for (const text of texts) ids.push((await bob.sendTo(account, text)).id);
  const window = await site.signedIn(account, context);
  await window.openConversation('bob');
  await window.message(texts.at(-1) ?? '').waitFor();
  return { window, ids };
}

/** Presses an action of a message. */
async function act(window: ChatWindow, text: string, action: string): Promise<void> {
  const message = window.message(text).last();
  await message.hover();
  await message.getByRole('button', { name: action, exact: true }).click();
}

/** The bar above the field. */
const aboutOf = ({ page }: ChatWindow) => page.locator('waggle-composer .about');

const quoteOf = (window: ChatWindow, text: string) => window.message(text).locator('.quote');

describe('a reply', () => {
  it('quotes its message, follows its edits and leads to it', async () => {
    const fillers = Array.from({ length: 30 }, (_, i) => `Filler ${i}`);
    const { window: alice, ids } = await openWith('alice', ['Where is the smoker?', ...fillers]);
    const { page } = alice;
    const first = ids[0] ?? '';
    await act(alice, 'Where is the smoker?', 'Reply');
    await untilFocused(alice.composer);
    await aboutOf(alice).getByText('Replying to bob').waitFor();
    await aboutOf(alice).getByText('Where is the smoker?').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await alice.send('In the shed');
    await aboutOf(alice).waitFor({ state: 'detached' });
    await alice.message('In the shed').getByLabel('Sent').waitFor();
    const quote = quoteOf(alice, 'In the shed');
    await quote.getByText('Where is the smoker?').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const bob = await site.as('bob');
    await bob.editMessage(first, 'Where is the\nnew smoker?');
    await quote.getByText('Where is the new smoker?').waitFor();
    await alice.scrollToEnd();
    await quote.press('Enter');
    await untilFocused(alice.message('new smoker?').first());
    await bob.deleteMessage(first);
    await quote.getByText('Deleted message').waitFor();
    // There is nothing to go to.
    expect(await quote.evaluate(({ localName }) => localName)).toBe('div');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('is cancelled without the loss of the draft, which keeps it over a reload', async () => {
    const { window: carol } = await openWith('carol', ['One', 'Two']);
    await carol.composer.fill('A draft');
    await act(carol, 'Two', 'Reply');
    await carol.page.keyboard.press('Escape');
    await aboutOf(carol).waitFor({ state: 'detached' });
    await untilFocused(carol.composer);
    expect(await carol.composer.inputValue()).toBe('A draft');
    await act(carol, 'Two', 'Reply');
    await aboutOf(carol).getByRole('button', { name: 'Cancel' }).click();
    await aboutOf(carol).waitFor({ state: 'detached' });
    await act(carol, 'One', 'Reply');
    await carol.page.reload();
    await aboutOf(carol).getByText('One').waitFor();
    await carol.composer.press('Enter');
    await quoteOf(carol, 'A draft').getByText('One').waitFor();
  });

  it('stays a reply until the service is back', async () => {
    const { window: dave, ids } = await openWith('dave', ['Are you there?']);
    await act(dave, 'Are you there?', 'Reply');
    await site.kill();
    await dave.send('Yes, later');
    await dave.message('Yes, later').getByLabel('Sending').waitFor();
    await quoteOf(dave, 'Yes, later').getByText('Are you there?').waitFor();
    await site.startInstance();
    await dave.message('Yes, later').getByLabel('Sent').waitFor();
    await quoteOf(dave, 'Yes, later').getByText('Are you there?').waitFor();
    const { api } = await site.as('dave');
    const [conversation] = await api.conversations();
    const { messages } = await api.historyPage(conversation?.id ?? '', { extended: true });
    expect(messages.at(-1)?.reply_to).toEqual({ id: ids[0], from: 'bob', content: 'Are you there?' });
  });
});
