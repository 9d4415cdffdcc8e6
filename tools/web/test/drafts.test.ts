import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type BrowserContext } from 'playwright-core';
import { type ChatWindow } from '../src/chat-window';
import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

const untilField = (window: ChatWindow, text: string) =>
  until(async () => (await window.composer.inputValue()) === text);

/** So that a draft is not saved after a pause. @param behindMs how far the clock of the device is behind */
async function stopTimers({ clock }: BrowserContext, behindMs = 0): Promise<void> {
  const now = Date.now() - behindMs;
  await clock.install({ time: now });
  await clock.pauseAt(now + 100);
}

/** A group with bob that is open on two devices of the account. */
async function openTwice(account: string) {
  const name = `Drafts of ${account}`;
  const id = await site.createGroup(name, account, ['bob']);
  const context = await site.newContext();
  // One after the other: a signature with the same time is accepted once.
  const laptop = await site.signedIn(account, context);
  const phone = await site.signedIn(account);
  for (const window of [laptop, phone]) await window.openConversation(name);
  const { api } = await site.as(account);
  const untilSaved = (text: string | undefined) =>
    until(async () => (await api.drafts()).find(({ conversation_id }) => conversation_id === id)?.text === text);
  return { id, context, laptop, phone, untilSaved };
}

it('is on the other devices of the account, with what it replies to, until it is sent', async () => {
  const { laptop, phone, untilSaved } = await openTwice('alice');
  const message = laptop.message('Welcome to Drafts of alice');
  await message.hover();
  await message.getByRole('button', { name: 'Reply', exact: true }).click();
  await laptop.composer.fill('Thank y');
  await untilField(phone, 'Thank y');
  await phone.page.locator('waggle-composer .about').getByText('Replying to alice').waitFor();
  await phone.composer.fill('Thank you');
  await untilField(laptop, 'Thank you');
  const third = await site.signedIn('alice');
  await third.openConversation('Drafts of alice');
  await untilField(third, 'Thank you');
  await phone.composer.press('Enter');
  await laptop.message('Thank you').locator('.quote').waitFor();
  for (const window of [laptop, third]) {
    await untilField(window, '');
    await window.page.locator('waggle-composer .about').waitFor({ state: 'hidden' });
  }
  await untilSaved(undefined);
});

it('is not replaced while it is being written', async () => {
  const { id, laptop, phone, untilSaved } = await openTwice('carol');
  const carol = await site.as('carol');
  await laptop.composer.fill('mine');
  await carol.setDraft(id, 'theirs');
  await untilSaved('mine');
  await untilField(phone, 'mine');
  expect(await laptop.composer.inputValue()).toBe('mine');
});

longTest('is saved at once when the field loses the focus', async () => {
  const { context, laptop, untilSaved } = await openTwice('dave');
  await stopTimers(context);
  await laptop.composer.fill('in a hurry');
  await laptop.composer.blur();
  await untilSaved('in a hurry');
});

longTest('that was written offline is saved once the network is back', async () => {
  const { context, laptop, phone } = await openTwice('erin');
  await context.setOffline(true);
  await laptop.page.getByText('You are offline').waitFor();
  await laptop.composer.fill('written offline');
  await context.setOffline(false);
  await untilField(phone, 'written offline');
});

longTest('that was not saved gives way to a later one of another device', async () => {
  const { context, laptop, phone, untilSaved } = await openTwice('judy');
  // A draft has to be 2 s later than one that was not saved.
  await stopTimers(context, 10_000);
  await site.stop();
  await laptop.composer.fill('older');
  await laptop.page.close();
  await site.startInstance();
  await phone.composer.fill('newer');
  await untilSaved('newer');
  await context.clock.resume();
  const reopened = await site.open(context);
  await reopened.openConversation('Drafts of judy');
  await untilField(reopened, 'newer');
  await untilSaved('newer');
});

longTest('that was sent offline is gone everywhere', async () => {
  const { context, laptop, phone, untilSaved } = await openTwice('frank');
  await laptop.composer.fill('on its way');
  await untilField(phone, 'on its way');
  await context.setOffline(true);
  await laptop.page.getByText('You are offline').waitFor();
  await laptop.composer.press('Enter');
  await context.setOffline(false);
  await phone.message('on its way').waitFor();
  await untilField(phone, '');
  await untilSaved(undefined);
  expect(await laptop.composer.inputValue()).toBe('');
});
