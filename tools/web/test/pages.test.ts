import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, type Route } from 'playwright-core';
import { Running } from '@waggle/running';
import { until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { launchBrowser } from '@waggle/testing/browser';
import { WebStack } from '../src/stack';
import { accessibilityViolations } from './support/axe';
import { testDatabases } from './support/test-databases';

// Four processes and a browser start.
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

async function queryDelegation(sql: string): Promise<void> {
  const client = new Client({ connectionString: databases.get('delegation') });
  await client.connect();
  await client.query(sql);
  await client.end();
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

longTest('the explorer and the status page have the colours of the chat', async () => {
  for (const url of [urls.explorer, urls.status]) {
    const page = await open(url);
    const section = page.locator('section').first();
    await section.waitFor();
    const color = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('div'));
      probe.style.color = 'var(--_accent)';
      return getComputedStyle(probe).color;
    });
    expect(color).toMatch(/^oklch\(/);
    const radiusOf = () => section.evaluate((element) => getComputedStyle(element).borderRadius);
    // A section that is replaced in this moment has none.
    await until(async () => (await radiusOf()) === '12px');
  }
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
  await page.getByText('5,000.000 VESTS').waitFor();
  expect(page.url()).toContain('?account=dave');
  await page.goBack();
  await page.getByText('162,345.679 VESTS').waitFor();
  await page.context().close();
});

it('explores delegations in a browser with a POSIX locale', async () => {
  const page = await open(urls.explorer, {}, (context) =>
    context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' });
    }),
  );
  await page.getByText(shown.explorer).first().waitFor();
});

longTest('copies a link to the account', async () => {
  const page = await open(urls.explorer, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('button', { name: 'Link copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(urls.explorer);
  await page.context().close();
});

longTest('lists the newest changes, even of a history that is too long to draw', async () => {
  await queryDelegation(
    `INSERT INTO delegation_change (id, delegation_id, delegator, delegatee, amount, created)
     SELECT 1048576 + n, 1, 'zoe', 'erin', n * 1000000, now() FROM generate_series(1::bigint, 10001) n`,
  );
  const page = await open(urls.explorer.replace('bob', 'erin'));
  await page.getByText('Only the first 10,000 changes are drawn.').waitFor();
  await page.getByRole('cell', { name: '10,001.000' }).waitFor();
  await page.context().close();
});

longTest('adds a page to each list, even if more of both is requested at once, and twice', async () => {
  await queryDelegation(
    `INSERT INTO delegation (id, delegator, delegatee, amount)
     SELECT 1000 + n, 'giver-' || n, 'frank', 1000000 FROM generate_series(1, 51) n
     UNION ALL SELECT 2000 + n, 'frank', 'taker-' || n, 1000000 FROM generate_series(1, 51) n`,
  );
  const page = await open(urls.explorer.replace('bob', 'frank'));
  const cell = (account: string) => page.getByRole('cell', { name: account });
  await cell('giver-50').waitFor();
  const held: Route[] = [];
  await page.route(/after_id=[1-9]/, (route) => void held.push(route));
  const [more, moreGiven] = await page.getByRole('button', { name: 'Show more' }).all();
  await more?.dblclick();
  await moreGiven?.click();
  await until(() => held.length === 3);
  for (const [index, account] of ['giver-51', 'giver-51', 'taker-51'].entries()) {
    await held[index]?.continue();
    await (await held[index]?.request().response())?.finished();
    await cell(account).first().waitFor();
  }
  expect([await cell('giver-51').count(), await cell('taker-51').count()]).toEqual([1, 1]);
  await page.context().close();
});

longTest('releases the chart of an account that is no longer shown', async () => {
  const page = await open(urls.explorer);
  const chart = await page.locator('history-chart').evaluateHandle((element) => new WeakRef(element));
  await page.getByLabel('Account').fill('nobody');
  await page.getByLabel('Account').press('Enter');
  await page.getByText('there may be no such account').waitFor();
  await until(async () => {
    await page.requestGC();
    return await chart.evaluate((reference) => reference.deref() === undefined);
  });
  await page.context().close();
});

longTest('explains an invalid account name', async () => {
  const page = await open(urls.explorer.replace('bob', 'b'));
  await page.getByRole('alert').waitFor();
  await page.context().close();
  // The browser reports each response 400, the last one perhaps after the alert.
  errors.splice(0);
});

describe('while the gateway has not responded to the first request', () => {
  let page: Page;
  const requests: Route[] = [];

  beforeEach(async () => {
    page = await open(urls.status, {}, async (context) => {
      await context.clock.install({ time: 0 });
      await context.clock.pauseAt(1_000);
      await context.route('**/state.json', (route) => {
        if (requests.push(route) > 1) void route.continue();
      });
    });
    await until(() => requests.length === 1);
  });
  afterEach(async () => {
    await page.context().close();
    requests.splice(0);
  });

  longTest('the status page requests nothing else', async () => {
    await page.clock.runFor(8_000);
    await requests[0]?.continue();
    await page.getByText('Complete: all local methods').waitFor();
    await page.clock.runFor(2_000);
    await until(() => requests.length > 1);
    expect(requests).toHaveLength(2);
  });

  longTest('the status page tries again after 10 s', async () => {
    await page.clock.runFor(12_000);
    await page.getByText('Complete: all local methods').waitFor();
  });
});

it('reports that the gateway does not respond, before and after the first values, and recovers', async () => {
  const page = await open(urls.status, {}, (context) => context.route('**/state.json', (route) => route.abort()));
  await page.getByText('The gateway does not respond. The page tries again.').waitFor();
  await page.context().unrouteAll();
  await page.getByText('Complete: all local methods').waitFor();
  await page.context().setOffline(true);
  const problem = page.getByRole('status').getByText('The gateway does not respond. These are the last known values.');
  await problem.waitFor();
  await page.context().setOffline(false);
  await problem.waitFor({ state: 'hidden' });
  await page.context().close();
  errors.splice(0);
});

longTest.each([
  ['the status 500', { status: 500 }],
  ['no JSON', { body: '<html>' }],
  ['JSON of another form', { body: '{}' }],
])('reports that the gateway responds with an error if there is %s', async (_what, response) => {
  const page = await open(urls.status, {}, (context) =>
    context.route('**/state.json', (route) => route.fulfill(response)),
  );
  await page.getByText('The gateway responds with an error. The page tries again.').waitFor();
  await page.context().close();
  // The browser reports each response 500.
  errors.splice(0);
});

longTest('shows a node that is ahead, the progress from the first block on, and the date', async () => {
  const node = { backend: 'hive', node: 'node.example', state: 'ahead', head_block: 29_800, calls: 0 };
  const state = {
    head_block: 1_000,
    irreversible_block: 980,
    nodes: [node, { ...node, state: 'lagging', head_block: 970 }],
    calls: { index: 0, upstream: 0, cache: 0 },
    index: { block: 930, first_block: 881, lag_seconds: 150, unmet: [{ need: 'posts', reason: 'it lags' }] },
  };
  const page = await open(urls.status, {}, async (context) => {
    await context.clock.install({ time: Date.UTC(2026, 0, 31, 12) });
    await context.route('**/state.json', (route) => route.fulfill({ json: state }));
  });
  await page.getByText('Updated at 31 Jan 2026').waitFor();
  expect(await page.getByRole('cell', { name: /^(28,800 ahead|30)$/ }).allTextContents()).toEqual([
    '28,800 ahead',
    '30',
  ]);
  const progress = page.getByRole('progressbar');
  expect(await progress.evaluate((bar: HTMLProgressElement) => [bar.value, bar.max])).toEqual([50, 100]);
  await page.context().close();
});
