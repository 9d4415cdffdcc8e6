// `node libs/chat-element/theming-picture.mjs [url]`: takes the picture in the README, of a chat that `npm start` has filled.
import { launchBrowser } from '@waggle/testing/browser';
import path from 'node:path';

const url = process.argv[2] ?? 'http://127.0.0.1:3000';

const theming = {
  '--waggle-accent': '#7a3fb5',
  '--waggle-surface': '#fffaf2',
  '--waggle-canvas': '#f5ead8',
  '--waggle-own': '#ead9f7',
  '--waggle-selected': '#ead9f7',
  '--waggle-hover': '#f7efe2',
  '--waggle-border': '#e4d6bf',
  '--waggle-radius': '4px',
  '--waggle-font': 'Georgia, serif',
};

const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 900, height: 480 }, locale: 'en-GB', colorScheme: 'light' });
  await page.goto(`${url}/app/`);
  await page.locator('waggle-chat').evaluate((element, properties) => {
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
  }, theming);
  await page.getByRole('button', { name: 'alice', exact: true }).click();
  await page.locator('waggle-conversation-list .item').first().click();
  await page.locator('waggle-message-list .message').first().waitFor();
  const file = path.join(import.meta.dirname, 'theming.png');
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  console.log(`Wrote ${file}.`);
} finally {
  await browser.close();
}
