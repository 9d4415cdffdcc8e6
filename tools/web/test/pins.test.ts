import { until } from '@waggle/testing';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

it('shows pinned messages above the others, and leads to each in turn', async () => {
  const id = await site.createGroup('Rules', 'alice', ['bob']);
  const chat = await site.as('alice');
  await chat.send(id, 'Be kind');
  for (let i = 0; i < 30; i += 1) await chat.send(id, `Filler ${i}`);
  const [alice, bob] = [await site.signedIn('alice'), await site.signedIn('bob')];
  await alice.openConversation('Rules');
  await bob.openConversation('Rules');
  const bar = bob.page.locator('waggle-conversation .pinned');
  expect(await bar.count()).toBe(0);
  await alice.chooseForMessage('Filler 29', 'Pin');
  await bar.getByText('Filler 29').waitFor();
  await bob.message('Filler 29').getByLabel('Pinned', { exact: true }).waitFor();
  await chat.pinMessage(
    (await chat.api.historyPage(id)).messages.find(({ content }) => content === 'Filler 5')?.id ?? '',
  );
  await bar.getByText('Pinned message 1 / 2').waitFor();
  await bar.getByText('Filler 5').waitFor();
  expect(await accessibilityViolations(bob.page)).toEqual([]);
  await bar.click();
  await until(() =>
    bob
      .message('Filler 5')
      .first()
      .evaluate((row) => row.matches(':focus')),
  );
  await bar.getByText('Filler 29').waitFor();
  // Only moderators pin.
  await bob.message('Filler 5').first().getByRole('button', { name: 'More actions' }).click();
  await bob.page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
  expect(await bob.page.getByRole('menuitem', { name: 'Pin' }).count()).toBe(0);
  await bob.page.keyboard.press('Escape');
  await alice.chooseForMessage('Filler 29', 'Unpin');
  await bar.getByText('Filler 5').waitFor();
  await bar.getByText('Pinned message', { exact: true }).waitFor();
});

it('shows who has read an own message in a group', async () => {
  const id = await site.createGroup('Readers', 'carol', ['dave', 'erin']);
  const carol = await site.signedIn('carol');
  await carol.openConversation('Readers');
  await carol.send('Who reads this?');
  const message = carol.message('Who reads this?');
  await message.getByLabel('Sent').waitFor();
  const dave = await site.as('dave');
  await dave.acknowledge(id);
  await message.getByLabel('Read by dave', { exact: true }).waitFor();
  await (await site.as('erin')).acknowledge(id);
  await message.getByLabel('Read by dave, erin').waitFor();
  await carol.send('And this?');
  await carol.message('And this?').getByLabel('Sent').waitFor();
});
