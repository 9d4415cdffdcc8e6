import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

/** The lines between the messages that say what changed, without their times. */
const linesOf = (texts: readonly string[]) =>
  texts.map((text) =>
    text
      .replaceAll(/\s+/g, ' ')
      .trim()
      .replace(/ \S+( [AP]M)?$/, ''),
  );

it('shows who changed a group between its messages, at once and after a reload', async () => {
  const id = await site.createGroup('Lines', 'alice', ['bob']);
  const alice = await site.as('alice');
  await alice.addMember(id, 'carol');
  const bob = await site.signedIn('bob');
  await bob.openConversation('Lines');
  const { page } = bob;
  const lines = page.locator('waggle-message-list .change');
  await lines.getByText('alice added carol').waitFor();
  // While the group is open.
  await alice.rename(id, 'Other lines');
  const renamedTo = (name: string) => `alice changed the name to “\u2068${name}\u2069”`;
  await lines.getByText(renamedTo('Other lines')).waitFor();
  const shown = [renamedTo('Lines'), 'alice added carol', renamedTo('Other lines')];
  expect(linesOf(await lines.allTextContents())).toEqual(shown);
  await page.reload();
  await lines.nth(2).waitFor();
  expect(linesOf(await lines.allTextContents())).toEqual(shown);
});
