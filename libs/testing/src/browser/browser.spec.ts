import { getChromium } from './chromium';
import { launchBrowser } from './launch-browser';

// The first run on a machine fetches 75 MB.
it('runs a page in Chromium', async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.setContent('<h1>Hello</h1>');
    expect(await page.getByRole('heading').textContent()).toBe('Hello');
  } finally {
    await browser.close();
  }
});

it('rejects an invalid TEST_BROWSER, in one line', () => {
  expect(() => getChromium({ ...process.env, TEST_BROWSER: '/nonexistent' })).toThrow(
    /^TEST_BROWSER names "\/nonexistent", which does not run$/,
  );
});
