import { ChatSite } from './support/chat-site';

const site = ChatSite.forTests();

it('the page of the API shows its operations, without the logo of its generator', async () => {
  const page = await (await site.newContext()).newPage();
  await page.goto(`${site.url}/docs`);
  await page.getByText('/messages/chats', { exact: true }).waitFor();
  expect(await page.locator('.topbar').isVisible()).toBe(false);
  expect(
    await page.locator('link[rel="icon"]').evaluateAll((icons) => icons.map((icon) => icon.getAttribute('href'))),
  ).toEqual(['data:,']);
});
