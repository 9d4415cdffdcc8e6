import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type ChatWindow } from '../src/chat-window';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests({ hasDemo: true });

const openDialog = ({ page }: ChatWindow) => page.locator('dialog[open]');
const titleOf = ({ page }: ChatWindow) => page.locator('waggle-conversation header h2');
const selected = ({ page }: ChatWindow) => page.getByRole('option', { selected: true });

async function isOpenIn(window: ChatWindow, title: string): Promise<void> {
  await titleOf(window).getByText(title, { exact: true }).waitFor();
}

it('goes to a conversation, an account or an action by a few letters', async () => {
  const window = await site.signedIn('alice');
  const { page } = window;
  // Nothing has the focus.
  await page.keyboard.press('Control+k');
  await openDialog(window).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.keyboard.type('harv');
  await selected(window).getByText('Honey harvest').waitFor();
  await page.keyboard.press('Enter');
  await isOpenIn(window, 'Honey harvest');

  // From the field of the conversation, where it enters no letter.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dav');
  await selected(window).getByText('dave').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New conversation' }).waitFor();
  expect(await window.composer.inputValue()).toBe('');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('sett');
  await page.keyboard.press('Enter');
  await page.locator('waggle-settings').waitFor();
});

longTest('opens again at once after it has closed', async () => {
  const window = await site.signedIn('alice');
  const { page } = window;
  await page.keyboard.press('Control+k');
  await openDialog(window).waitFor();
  // Both keys in one task, so the browser fires the first `close` only after the second opening.
  await openDialog(window).evaluate(async (dialog) => {
    const press = (target: EventTarget | null, init: KeyboardEventInit) =>
      target?.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, composed: true, cancelable: true, ...init }));
    const closed = new Promise((resolve) => {
      dialog.addEventListener('close', resolve, { once: true });
    });
    press(dialog.querySelector('input'), { key: 'Enter' });
    press(document.body, { key: 'k', ctrlKey: true });
    await closed;
  });
  await selected(window).waitFor();
});

longTest('moves by arrow keys, and closes by Escape alone', async () => {
  const window = await site.signedIn('alice');
  const { page } = window;
  await window.openConversation('Honey harvest');
  await page.keyboard.press('Control+k');
  const first = await selected(window).textContent();
  await page.keyboard.press('ArrowDown');
  await until(async () => (await selected(window).textContent()) !== first);
  await page.keyboard.press('ArrowUp');
  await until(async () => (await selected(window).textContent()) === first);
  await page.keyboard.press('Escape');
  await openDialog(window).waitFor({ state: 'hidden' });
  await isOpenIn(window, 'Honey harvest');
  await until(() => window.composer.evaluate((field) => field.matches(':focus')));
});

it('switches conversations, and lists the shortcuts where no text is entered', async () => {
  const window = await site.signedIn('alice');
  const { page } = window;
  await window.openConversation('carol');
  await page.keyboard.press('Alt+ArrowDown');
  await isOpenIn(window, 'Honey harvest');
  await page.keyboard.press('Alt+ArrowUp');
  await isOpenIn(window, 'carol');
  await page.keyboard.type('?');
  expect(await window.composer.inputValue()).toBe('?');
  await window.composer.clear();
  await window.entry('carol').focus();
  await page.keyboard.press('?');
  await openDialog(window).getByText('Keyboard shortcuts').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  // They act on nothing that a dialog covers.
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Control+k');
  await isOpenIn(window, 'carol');
  expect(await openDialog(window).count()).toBe(1);
});

longTest('says that the palette could not be loaded', async () => {
  const context = await site.newContext();
  await context.route('**/app/palette.js', (route) => route.abort());
  const { page } = await site.signedIn('alice', context);
  await page.keyboard.press('Control+k');
  await page.getByText('This part could not be loaded. Reload the page.').waitFor();
});
