import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';

type Handler = (event: object) => unknown;

/** An element or event source: records listeners, children and text. */
class Target {
  readonly listeners = new Map<string, Handler>();
  readonly children: Target[] = [];
  textContent = '';

  addEventListener(type: string, handler: Handler): void {
    this.listeners.set(type, handler);
  }

  prepend(child: Target): void {
    this.children.unshift(child);
  }

  emit(type: string, event: object): unknown {
    return this.listeners.get(type)?.(event);
  }
}

it('shows a desktop notification for each event', async () => {
  const page = readFileSync(path.join(__dirname, '../examples/desktop-notifications.html'), 'utf8');
  const elements = { form: new Target(), '#state': new Target(), '#list': new Target() };
  const sources: { url: string; source: Target }[] = [];
  const shown: unknown[][] = [];
  class EventSource extends Target {
    constructor(url: string) {
      super();
      sources.push({ url, source: this });
    }
  }
  class Notification {
    static readonly permission = 'granted';
    static requestPermission = () => Promise.resolve('granted');
    constructor(...args: unknown[]) {
      shown.push(args);
    }
  }
  const document = {
    querySelector: (selector: keyof typeof elements) => elements[selector],
    createElement: () => new Target(),
  };
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(page) ?? [];
  runInNewContext(script, { document, EventSource, Notification });

  const fields = { gateway: { value: 'http://127.0.0.1:8080' }, accounts: { value: 'alice,bob' } };
  await elements.form.emit('submit', { preventDefault: () => undefined, target: { elements: fields } });
  expect(sources.map(({ url }) => url)).toEqual(['http://127.0.0.1:8080/events?accounts=alice%2Cbob']);
  const item = { account: 'alice', id: 7, type: 'vote', score: 40, date: '', msg: '@bob voted', url: '@bob/x' };
  sources[0]?.source.emit('notification', { data: JSON.stringify(item) });
  expect(shown).toEqual([['@alice', { body: '@bob voted', tag: '7' }]]);
  expect(elements['#list'].children.map(({ textContent }) => textContent)).toEqual(['alice: @bob voted (@bob/x)']);
});
