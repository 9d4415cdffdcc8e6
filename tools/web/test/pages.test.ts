import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { Running } from '@waggle/running';
import { until } from '@waggle/testing';
import { launchBrowser } from '@waggle/testing/browser';
import { WebStack } from '../src/stack';
import { accessibilityViolations } from './support/axe';
import { testDatabases } from './support/test-databases';

// Four processes and a browser start.
jest.setTimeout(300_000);

const running = new Running();
/** URLs of the databases, by service. */
const databases = new Map<string, string>();
let browser: Browser;
let urls: { explorer: string; status: string };
/** Errors of the pages: exceptions, violations of the policy, failed requests. */
const errors: string[] = [];

beforeAll(async () => {
  const makeDatabase = testDatabases(running);
  const [stack] = await Promise.all([
    WebStack.start(running, async (service) => {
      const url = await makeDatabase(service);
      databases.set(service, url);
      return url;
    }),
    launchBrowser().then((launched) => (browser = launched)),
  ]);
  stack.fillChain();
  const [delegation, gateway] = await Promise.all([stack.startDelegation(), stack.startGateway()]);
  urls = { explorer: `${delegation}/?account=bob`, status: `${gateway}/status` };
  await until(async () => (await (await fetch(`${delegation}/api/deleg/in?account=bob`)).text()).includes('carol'));
});
afterAll(async () => {
  await browser.close();
  await running.endAll();
});
afterEach(() => {
  expect(errors.splice(0)).toEqual([]);
});

async function open(
  url: string,
  options: BrowserContextOptions = {},
  prepare?: (context: BrowserContext) => Promise<unknown>,
): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
  await prepare?.(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  const { origin } = new URL(url);
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('blob:'))
      errors.push(`requested ${request.url()}`);
  });
  await page.goto(url);
  return page;
}

const shown = { explorer: '162,345.679 VESTS', status: 'Irreversible block' } as const;

describe.each(['explorer', 'status'] as const)('the page %s', (name) => {
  it.each([
    ['light', 320],
    ['dark', 1280],
  ] as const)('is accessible and fits: %s, %i px', async (colorScheme, width) => {
    const page = await open(urls[name], { colorScheme, viewport: { width, height: 720 } });
    await page.getByText(shown[name]).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.context().close();
  });
});

it('explores delegations: search, links, history, CSV', async () => {
  const page = await open(urls.explorer.replace(/\?.*/, ''));
  await page.getByLabel('Account').fill(' @Bob ');
  await page.getByLabel('Account').press('Enter');
  await page.getByText('162,345.679 VESTS').waitFor();
  await page.locator('history-chart canvas').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download received as CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('bob-in.csv');
  expect(readFileSync(await download.path(), 'utf8')).toContain('12345.678901');
  await page.getByRole('link', { name: 'dave' }).first().click();
  await page.getByText('5,000 VESTS').waitFor();
  expect(page.url()).toContain('?account=dave');
  await page.goBack();
  await page.getByText('162,345.679 VESTS').waitFor();
  await page.context().close();
});

it('lists the newest changes, even of a history that is too long to draw', async () => {
  const client = new Client({ connectionString: databases.get('delegation') });
  await client.connect();
  await client.query(
    `INSERT INTO delegation_change (id, delegation_id, delegator, delegatee, amount, created)
     SELECT 1048576 + n, 1, 'zoe', 'erin', n * 1000000, now() FROM generate_series(1::bigint, 10001) n`,
  );
  await client.end();
  const page = await open(urls.explorer.replace('bob', 'erin'));
  await page.getByText('Only the first 10,000 changes are drawn.').waitFor();
  await page.getByRole('cell', { name: '10,001.000' }).waitFor();
  await page.context().close();
});

it('explains an invalid account name', async () => {
  const page = await open(urls.explorer.replace('bob', 'b'));
  await page.getByRole('alert').waitFor();
  await page.context().close();
  // The browser reports each response 400, the last one perhaps after the alert.
  errors.splice(0);
});

it('reports that the gateway does not respond, before and after the first values, and recovers', async () => {
  const page = await open(urls.status, {}, (context) => context.route('**/state.json', (route) => route.abort()));
  await page.getByText('The gateway does not respond. The page tries again.').waitFor();
  await page.context().unrouteAll();
  await page.getByText('Complete: all local methods').waitFor();
  await page.context().setOffline(true);
  await page.getByText('These are the last known values.').waitFor();
  await page.context().setOffline(false);
  await page.getByText('Updated at').waitFor();
  await page.context().close();
  errors.splice(0);
});
