import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type BrowserContext, type Locator } from 'playwright-core';
import { ChatSite } from './support/chat-site';

const logo = 'https://honey.example/logo.svg';
const picture = (size: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"/>`;

const site = ChatSite.forTests({
  settings: () => Promise.resolve({ WEB_CLIENT_NAME: 'Hive Honey', WEB_CLIENT_LOGO: logo }),
  origins: () => [new URL(logo).origin],
});

/** A context whose pages can load the logo. */
async function contextWithLogo(): Promise<BrowserContext> {
  const context = await site.newContext();
  await context.route(logo, (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture(8) }));
  return context;
}

/** Waits until a name is shown beside a logo of this width. */
async function untilShown(brand: Locator, name: string, width: number): Promise<void> {
  await brand.getByText(name, { exact: true }).waitFor();
  await until(() =>
    brand.locator('img').evaluate((image, expected) => {
      return image instanceof HTMLImageElement && image.naturalWidth === expected;
    }, width),
  );
}

it("shows the operator's name and logo: in the title, at the sign-in and above the conversations", async () => {
  const context = await contextWithLogo();
  const window = await site.open(context);
  const { page } = window;
  await untilShown(page.locator('waggle-sign-in .brand'), 'Hive Honey', 8);
  expect(await page.title()).toBe('Hive Honey');
  expect(await page.locator('link[rel="icon"]').getAttribute('href')).toBe(logo);
  await (await site.as('bob')).sendTo('alice', 'Hello');
  await window.signIn('alice');
  await until(async () => (await page.title()) === '(1) Hive Honey');
  const brand = page.locator('waggle-chat .list .brand');
  await untilShown(brand, 'Hive Honey', 8);
  await page.getByRole('heading', { name: 'Hive Honey', level: 1 }).waitFor();
  // On a small phone, and in a narrow list beside a conversation, the logo alone.
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 640 });
    await untilShown(brand, 'Hive Honey', 8);
    await until(async () => (await brand.getByText('Hive Honey').boundingBox())?.width === 1);
  }
});

longTest('shows the name and logo that the page sets instead', async () => {
  const { page } = await site.open(await contextWithLogo());
  const brand = page.locator('waggle-sign-in .brand');
  await untilShown(brand, 'Hive Honey', 8);
  const chat = page.locator('waggle-chat');
  await chat.evaluate(
    (element, url) => {
      element.setAttribute('name', 'Bee Club');
      element.setAttribute('logo', url);
    },
    `data:image/svg+xml,${encodeURIComponent(picture(16))}`,
  );
  await untilShown(brand, 'Bee Club', 16);
  // The longest name of an operator, on a phone.
  await page.setViewportSize({ width: 320, height: 640 });
  await chat.evaluate((element) => {
    element.setAttribute('name', 'W'.repeat(40));
  });
  await untilShown(brand, 'W'.repeat(40), 16);
  const hidden = await page.locator('waggle-sign-in').evaluate((pane) => pane.scrollWidth - pane.clientWidth);
  expect(hidden).toBe(0);
  await chat.evaluate((element) => {
    element.removeAttribute('name');
    element.removeAttribute('logo');
  });
  await untilShown(brand, 'Hive Honey', 8);
});
