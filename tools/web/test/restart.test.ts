import { until } from '@waggle/testing';
import { ChatSite } from './support/chat-site';
import { isLongForm } from './support/long-form';

const site = ChatSite.forTests();

/** Messages of the burst in which the instance is killed. */
const burst = isLongForm ? 2_000 : 40;

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

it('sends what was written without a service from the next page', async () => {
  const id = await site.createGroup('Left', 'carol', ['alice']);
  const context = await site.newContext();
  const alice = await site.signedIn('alice', context);
  await alice.openConversation('Left');
  await site.kill();
  await alice.send('left behind');
  await alice.message('left behind').getByLabel('Sending').waitFor();
  await alice.page.close();
  await site.startInstance();
  await site.open(context);
  const { api } = await site.as('carol');
  await until(async () => (await api.historyPage(id)).some(({ content }) => content === 'left behind'));
});
