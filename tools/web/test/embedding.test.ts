import { exampleIn } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { type BrowserContext, type Page } from 'playwright-core';
import { accessibilityViolations } from './support/axe';
import { ChatSite } from './support/chat-site';
import { ExamplePages, svelte } from './support/example-pages';

const pages = new ExamplePages();
let origin: string;

const site = ChatSite.forTests({
  settings: async () => {
    origin = await pages.start();
    return { BEARER_ORIGINS: origin };
  },
  origins: () => [origin],
});
afterAll(() => pages.stop());

/** Opens an example, and signs in by one click. */
async function signedIn(name: string, account: string, context?: BrowserContext): Promise<Page> {
  const page = await (context ?? (await site.newContext({ viewport: { width: 1280, height: 1_400 } }))).newPage();
  await page.goto(`${origin}/${name}.html`);
  await page.getByRole('button', { name: account, exact: true }).click();
  await page.locator('waggle-chat waggle-conversation-list').waitFor();
  return page;
}

/** Replaces the page by one conversation. */
async function showAlone(page: Page, id: string): Promise<void> {
  await page.evaluate(
    ([server, conversation]) => {
      const element = document.createElement('waggle-conversation');
      Object.assign(element, { server, conversation });
      document.body.replaceChildren(element);
    },
    [site.url, id] as const,
  );
}

it('shows the chat in a plain page of another origin, with the colours of the page, even after a reload', async () => {
  pages.addPlain(site.url);
  const id = await site.createGroup('Plain', 'alice', ['bob']);
  const page = await signedIn('plain', 'alice');
  await page.reload();
  await page.getByText('Plain', { exact: true }).waitFor();
  // Another element for the same service shares its client.
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.evaluate((server) => {
    const list = document.createElement('waggle-conversation-list');
    list.setAttribute('server', server);
    document.body.append(list);
  }, `${site.url}/`);
  await page.locator('body > waggle-conversation-list').getByText('Plain', { exact: true }).waitFor();
  expect(loaded).not.toContain('/app/config.json');
  await page.getByText('Plain', { exact: true }).first().click();
  await page.getByText('Welcome to Plain').last().waitFor();
  await page.getByLabel('Message to Plain').fill('from another page');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  // The page's accent, dark enough for white text.
  const { color, backgroundColor } = await send.evaluate((button) => {
    const style = getComputedStyle(button);
    return { color: style.color, backgroundColor: style.backgroundColor };
  });
  expect(backgroundColor).toMatch(/^oklch\(0\.50\d* 0\.18\d* 303/);
  expect(color).toMatch(/^oklch\(1 0 303/);
  await send.click();
  await page.locator('.message', { hasText: 'from another page' }).getByLabel('Sent').waitFor();
  await showAlone(page, id);
  await page.getByLabel('Message to Plain').fill('from a conversation alone');
  await page.keyboard.press('Enter');
  await page.locator('.message', { hasText: 'from a conversation alone' }).getByLabel('Sent').waitFor();
  // There is no list to go back to.
  expect(await page.getByRole('button', { name: 'Back', exact: true }).count()).toBe(0);
});

describe('several copies of the module in a page', () => {
  /** Uses the chat in the plain page with more modules. @returns the warnings of the page, too */
  async function opened(account: string, modules: readonly string[]): Promise<{ page: Page; warnings: string[] }> {
    pages.addPlain(site.url, modules);
    await site.createGroup(`Copied for ${account}`, account, ['bob']);
    const page = await signedIn('plain', account);
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await page.reload();
    await page.getByText(`Copied for ${account}`, { exact: true }).click();
    await page.getByLabel(`Message to Copied for ${account}`).fill('from the first copy');
    await page.keyboard.press('Enter');
    await page.locator('.message', { hasText: 'from the first copy' }).getByLabel('Sent').waitFor();
    return { page, warnings };
  }

  longTest('share the elements and clients of the first', async () => {
    const urls = [`${site.url}/element.js`, `${site.url}/element.js?second`] as const;
    const { page, warnings } = await opened('grace', urls.slice(1));
    expect(warnings).toEqual([]);
    // As a text: Jest would replace `import`.
    const isShared = await page.evaluate(`(async () => {
      const [first, second] = await Promise.all(${JSON.stringify(urls)}.map((url) => import(url)));
      return {
        element: document.querySelector('waggle-chat') instanceof second.WaggleChat,
        client: first.sharedClient(${JSON.stringify(site.url)}) === second.sharedClient(${JSON.stringify(site.url)}),
      };
    })()`);
    expect(isShared).toEqual({ element: true, client: true });
  });

  longTest('warn once if their versions differ', async () => {
    const module = await (await fetch(`${site.url}/element.js`)).text();
    pages.add('/other-version.js', module.replaceAll(/"\d+\.\d+\.\d+"/g, '"9.8.7"'));
    const { warnings } = await opened('heidi', ['/other-version.js']);
    expect(warnings).toEqual([expect.stringMatching(/ \d+\.\d+\.\d+: .* 9\.8\.7\.$/)]);
  });
});

describe('the keyboard shortcuts of a page', () => {
  /** Records the keys that reach the document, and returns them, each as its events and its name. */
  async function recordKeys(page: Page): Promise<() => Promise<string[]>> {
    const keys = await page.evaluateHandle(() => {
      const recorded: string[] = [];
      for (const type of ['keydown', 'keypress', 'keyup'] as const)
        document.addEventListener(type, ({ key }) => recorded.push(`${type} ${key}`));
      return recorded;
    });
    return () => keys.evaluate((recorded) => recorded.splice(0));
  }

  const pressed = (...keys: string[]) => keys.flatMap((key) => [`keydown ${key}`, `keyup ${key}`]);

  it('get no typing of the chat, but keys that enter no text', async () => {
    pages.addPlain(site.url);
    const id = await site.createGroup('Typed', 'erin', ['bob']);
    const page = await signedIn('plain', 'erin');
    const { keyboard } = page;
    const keys = await recordKeys(page);
    await page.getByLabel('Search conversations').focus();
    await keyboard.type('Ty');
    await page.getByText('Typed', { exact: true }).click();
    const field = page.getByLabel('Message to Typed');
    await field.focus();
    await keyboard.type('j/ G');
    await keyboard.press('Shift+Enter');
    await keyboard.press('ArrowUp');
    expect(await field.inputValue()).toBe('j/ G\n');
    expect(await keys()).toEqual([]);
    await keyboard.press('F2');
    expect(await keys()).toEqual(pressed('F2'));
    await keyboard.press('Control+j');
    expect(await keys()).toEqual(['keydown Control', ...pressed('j'), 'keyup Control']);
    await keyboard.press('Tab');
    expect(await keys()).toEqual(pressed('Tab'));
    await field.focus();
    // The composer sends the message.
    await keyboard.press('Control+Enter');
    expect(await keys()).not.toContain('keydown Enter');
    await field.dispatchEvent('keydown', { key: '@', ctrlKey: true, altKey: true, modifierAltGraph: true });
    await field.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
    // As a browser does when it fills in a field.
    await field.evaluate((element) => element.dispatchEvent(new Event('keydown', { bubbles: true, composed: true })));
    expect(await keys()).toEqual([]);
    await page.locator('.message', { hasText: 'j/ G' }).getByLabel('Sent').waitFor();
    await showAlone(page, id);
    await field.focus();
    await keyboard.type('j');
    expect(await field.inputValue()).toBe('j');
    await keyboard.press('Escape');
    expect(await keys()).toEqual(pressed('Escape'));
  });

  longTest('do not get the Escape that cancels a confirmation', async () => {
    pages.addPlain(site.url);
    await site.createGroup('Kept', 'frank', ['bob']);
    const page = await signedIn('plain', 'frank');
    await page.getByText('Kept', { exact: true }).click();
    await page.getByText('Welcome to Kept').last().waitFor();
    await page.locator('.message', { hasText: 'Welcome to Kept' }).hover();
    await page.getByRole('button', { name: 'More actions' }).last().click();
    await page.getByRole('menuitem', { name: 'Delete message' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.waitFor();
    const keys = await recordKeys(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await keys()).toEqual([]);
    expect(await page.locator('waggle-conversation').count()).toBe(1);
  });
});

longTest('closes panes with Escape, but leaves the history to the page', async () => {
  pages.addPlain(site.url);
  const id = await site.createGroup('Inside', 'heidi', ['bob']);
  const page = await signedIn('plain', 'heidi');
  const length = await page.evaluate(() => {
    const { dataset } = document.documentElement;
    document.addEventListener('panes-changed', (event) => {
      if ('detail' in event) dataset['panes'] = JSON.stringify(event.detail);
    });
    document.addEventListener('keydown', ({ key }) => (dataset['key'] = key));
    return history.length;
  });
  const recorded = () => page.evaluate(() => Object.fromEntries(Object.entries(document.documentElement.dataset)));
  await page.getByText('Inside', { exact: true }).click();
  await page.locator('waggle-conversation button.title').click();
  const details = page.locator('waggle-conversation-details');
  await details.waitFor();
  expect(await recorded()).toEqual({ panes: `{"panes":["conversation:${id}","details"]}` });
  const address = () => page.evaluate(() => `${history.length} ${JSON.stringify(history.state)} ${location.hash}`);
  expect(await address()).toBe(`${length} null `);
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  expect(await recorded()).toEqual({ panes: `{"panes":["conversation:${id}"]}` });
  await page.keyboard.press('Escape');
  await page.locator('waggle-conversation').waitFor({ state: 'detached' });
  expect(await recorded()).toEqual({ panes: '{"panes":[]}' });
  // With nothing to close, the key is the page's.
  await page.keyboard.press('Escape');
  expect(await recorded()).toEqual({ panes: '{"panes":[]}', key: 'Escape' });
  // The page may do what its history says.
  const chat = page.locator('waggle-chat');
  const set = (panes: string[]) =>
    chat.evaluate((element, value) => void Object.assign(element, { panes: value }), panes);
  const open = () => chat.evaluate((element) => ('panes' in element ? String(element.panes) : ''));
  await set([`conversation:${id}`, 'details', 'question']);
  await details.waitFor();
  expect(await open()).toBe(`conversation:${id},details`);
  expect(await recorded()).toEqual({ panes: '{"panes":[]}', key: 'Escape' });
});

longTest('signs in from a page of another origin, although the clock is wrong', async () => {
  pages.addPlain(site.url);
  const context = await site.newContext();
  await context.clock.install({ time: Date.now() - 600_000 });
  await signedIn('plain', 'grace', context);
});

it('shows the chat and parts of it in a page with React', async () => {
  await pages.addBundle('react', 'react.tsx', site.url);
  await site.createGroup('Reactive', 'bob', ['carol']);
  const page = await signedIn('react', 'carol');
  await page.getByRole('heading', { name: 'Chat (1)' }).waitFor();
  await page.locator('#root > waggle-conversation-list').getByText('Reactive', { exact: true }).click();
  await page.locator('#root > waggle-composer').getByLabel('Message to Reactive').fill('from a part');
  await page.keyboard.press('Enter');
  await page.locator('waggle-chat').getByText('You: from a part').waitFor();
});

longTest('gives a page with React the state of the chat', async () => {
  await pages.addBundle('react-hooks', 'react-hooks.tsx', site.url);
  const id = await site.createGroup('Hooked', 'bob', ['erin']);
  const page = await (await site.newContext()).newPage();
  await page.goto(`${origin}/react-hooks.html`);
  await page.getByRole('button', { name: 'erin', exact: true }).click();
  await page.getByRole('heading', { name: 'erin (1)' }).waitFor();
  await page.getByRole('button', { name: 'Hooked', exact: true }).click();
  await page.getByText('bob: Welcome to Hooked').waitFor();
  await page.getByRole('heading', { name: 'erin (0)' }).waitFor();
  await page.getByLabel('Message').fill('from a hook');
  await page.keyboard.press('Enter');
  await page.getByText('erin: from a hook').waitFor();
  await (await site.as('bob')).send(id, 'live');
  await page.getByText('bob: live').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'erin', exact: true }).waitFor();
});

longTest('gives a page with React a conversation with more messages than a page', async () => {
  const id = await site.createGroup('Long', 'bob', ['heidi']);
  const bob = await site.as('bob');
  for (let number = 1; number <= 60; number += 1) await bob.send(id, `message ${number}`);
  const page = await (await site.newContext()).newPage();
  await page.goto(`${origin}/react-hooks.html`);
  await page.getByRole('button', { name: 'heidi', exact: true }).click();
  await page.getByRole('heading', { name: 'heidi (61)' }).waitFor();
  await page.getByRole('button', { name: 'Long', exact: true }).click();
  await page.getByText('bob: message 1', { exact: true }).waitFor();
  // Only what is loaded is marked as read.
  await page.getByRole('heading', { name: /^heidi \(1\d\)$/ }).waitFor();
  await page.getByRole('button', { name: 'Newer messages' }).click();
  await page.getByText('bob: message 60', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'heidi (0)' }).waitFor();
});

it('adds a button with the unread messages to a page by one line', async () => {
  const line = exampleIn('libs/chat-element/README.md', 'A button in the corner').replace(
    'https://chat.example',
    site.url,
  );
  // Other markup cannot pose as the line, also if the page loads it before its body.
  const posing = '<script type="text/plain" src="/app/embed.js" data-server="https://evil.example"></script>';
  const async = line.replace('<script', '<script async');
  const body = `<main><h1>A page</h1></main>${line}`;
  pages.add('/button.html', `<!doctype html><html lang="en"><title>A page</title>${posing}${async}<body>${body}`);
  const id = await site.createGroup('Supported', 'bob', ['frank']);
  const page = await (await site.newContext()).newPage();
  await page.goto(`${origin}/button.html`);
  const launcher = page.locator('waggle-launcher');
  const button = launcher.getByRole('button', { name: 'Support', exact: true });
  await button.click();
  await launcher.getByRole('button', { name: 'frank', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await launcher.getByRole('dialog').waitFor({ state: 'hidden' });
  await button.click();
  await launcher.getByRole('button', { name: 'frank', exact: true }).click();
  await launcher.getByText('Supported', { exact: true }).click();
  await launcher.getByLabel('Message to Supported').fill('from the button');
  await page.keyboard.press('Enter');
  await launcher.locator('.message', { hasText: 'from the button' }).getByLabel('Sent').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await launcher.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(await accessibilityViolations(page)).toEqual([]);
  await (await site.as('bob')).send(id, 'while it is closed');
  await launcher.getByRole('button', { name: /^Support, \d unread messages?$/ }).click();
  await launcher.getByText('while it is closed').first().waitFor();
  expect(await launcher.count()).toBe(1);
});

longTest('adds the button to a page that bundles the elements, too', async () => {
  await pages.addBundle('react', 'react.tsx', site.url);
  const page = await (await site.newContext()).newPage();
  await page.goto(`${origin}/react.html`);
  await page.locator('waggle-chat').waitFor();
  await page.addScriptTag({ type: 'module', url: `${site.url}/app/embed.js` });
  await page.locator('waggle-launcher').getByRole('button', { name: 'Waggle' }).click();
  await page.locator('waggle-launcher').getByRole('button', { name: 'alice', exact: true }).waitFor();
});

longTest('shows the chat in a page with Svelte', async () => {
  await pages.addBundle('svelte', 'svelte.js', site.url, [svelte]);
  await site.createGroup('Svelte', 'bob', ['dave']);
  const page = await signedIn('svelte', 'dave');
  await page.getByRole('heading', { name: 'Chat (1)' }).waitFor();
});
