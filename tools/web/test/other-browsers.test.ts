import { execFileSync } from 'node:child_process';
import { until } from '@waggle/testing';
import { ChatSite } from './support/chat-site';
import { ExamplePages } from './support/example-pages';
import { startFirefox } from './other-browsers/firefox';
import { type RemoteBrowser } from './other-browsers/remote-browser';
import { startWebKit } from './other-browsers/webkit';

const pages = new ExamplePages();
let origin: string;

const site = ChatSite.forTests({
  settings: async () => {
    origin = await pages.start();
    return { BEARER_ORIGINS: origin };
  },
});
afterAll(() => pages.stop());

const composer = 'textarea';
const enter = '\uE007';

/** Composes a word, and ends it by Enter in the order of Safari: the key comes after the composition. */
const endComposition = `
  const [field] = arguments;
  field.focus();
  field.dispatchEvent(new CompositionEvent('compositionstart'));
  field.value = '한';
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, isComposing: true }));
  field.dispatchEvent(new CompositionEvent('compositionend', { data: '한' }));
  const init = { key: 'Enter', code: 'Enter', keyCode: 229, bubbles: true, composed: true, cancelable: true };
  field.dispatchEvent(new KeyboardEvent('keydown', init));`;

for (const { name, program, start } of [
  { name: 'Firefox', program: 'firefox-esr', start: startFirefox },
  { name: 'WebKit', program: 'WebKitWebDriver', start: startWebKit },
]) {
  (isInstalled(program) ? describe : describe.skip)(`in ${name} (needs ${program})`, () => {
    const title = `In ${name}`;
    let browser: RemoteBrowser;
    let id: string;
    beforeAll(async () => {
      browser = await start();
      id = await site.createGroup(title, 'bob', ['alice']);
    });
    afterAll(() => browser.end());

    /** What the service has stored; nothing while it is away. */
    const texts = async (): Promise<string[]> => {
      const bob = await site.as('bob');
      const page = await bob.api.historyPage(id).catch(() => undefined);
      return page?.messages.map(({ content }) => content) ?? [];
    };

    it('two people chat, also after a reload', async () => {
      await browser.open(`${site.url}/app/`);
      await browser.click('button', 'alice');
      await browser.click('button.item', title);
      await browser.type(composer, `from the browser${enter}`);
      await browser.shown('[aria-label="Sent"]');
      await (await site.as('bob')).send(id, 'from bob');
      await browser.shown('.text', 'from bob');
      await browser.reload();
      await browser.shown(composer);
      await browser.shown('.text', 'from bob');
      expect(await texts()).toContain('from the browser');
    });

    it('what is written while the service is away is sent when it is back', async () => {
      await site.kill();
      await browser.type(composer, `written offline${enter}`);
      await browser.shown('.text', 'written offline');
      await site.startInstance({ BEARER_ORIGINS: origin });
      await browser.run(`dispatchEvent(new Event('online'))`);
      await until(async () => (await texts()).includes('written offline'));
    });

    it('Enter ends an input method, and does not send the unfinished word', async () => {
      await browser.runOn(composer, endComposition);
      await browser.type(composer, ` and more${enter}`);
      await browser.shown('.text', '한 and more');
      expect(await texts()).not.toContain('한');
    });

    it('Back closes the details before the conversation', async () => {
      await browser.click('header button.title');
      await browser.shown('waggle-conversation-details');
      await browser.back();
      await until(async () => !(await browser.isShown('waggle-conversation-details')));
      expect(await browser.isShown(composer)).toBe(true);
    });

    it('a page of another origin embeds the chat', async () => {
      pages.addPlain(site.url);
      await browser.open(`${origin}/plain.html`);
      await browser.click('button', 'alice');
      await browser.click('button.item', title);
      await browser.shown('.text', 'from bob');
    });
  });
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
