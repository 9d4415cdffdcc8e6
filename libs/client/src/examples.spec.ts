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

/** Runs the page, and enters the gateway and the accounts. */
async function openPage() {
  const page = readFileSync(path.join(__dirname, '../examples/desktop-notifications.html'), 'utf8');
  const elements = { form: new Target(), '#state': new Target(), '#list': new Target() };
  const sources: { url: string; source: Target }[] = [];
  const shown: unknown[][] = [];
  const timers: (() => void)[] = [];
  class EventSource extends Target {
    static readonly CLOSED = 2;
    readyState = 1;
    constructor(url: string) {
      super();
      sources.push({ url, source: this });
    }
    close(): void {
      this.readyState = EventSource.CLOSED;
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
  const setTimeout = (callback: (...args: unknown[]) => void, _ms: number, ...args: unknown[]) =>
    timers.push(() => {
      callback(...args);
    });
  const clearTimeout = () => undefined;
  runInNewContext(script, { document, EventSource, Notification, URLSearchParams, setTimeout, clearTimeout });

  const fields = { gateway: { value: 'http://127.0.0.1:8080' }, accounts: { value: 'alice,bob' } };
  await elements.form.emit('submit', { preventDefault: () => undefined, target: { elements: fields } });
  return { sources, shown, timers, list: elements['#list'], state: elements['#state'] };
}

const item = { account: 'alice', id: 7, type: 'vote', score: 40, date: '', msg: '@bob voted', url: '@bob/x' };

it('shows a desktop notification for each event', async () => {
  const { sources, shown, list } = await openPage();
  expect(sources.map(({ url }) => url)).toEqual(['http://127.0.0.1:8080/events?accounts=alice%2Cbob']);
  sources[0]?.source.emit('notification', { data: JSON.stringify(item), lastEventId: '1-7' });
  expect(shown).toEqual([['@alice', { body: '@bob voted', tag: '7' }]]);
  expect(list.children.map(({ textContent }) => textContent)).toEqual(['alice: @bob voted (@bob/x)']);
});

it('connects again after an error status, from the last event', async () => {
  const { sources, timers, state } = await openPage();
  sources[0]?.source.emit('notification', { data: JSON.stringify(item), lastEventId: '1-7' });
  // The browser itself connects again.
  sources[0]?.source.emit('error', { target: { readyState: 0 } });
  expect(timers).toHaveLength(0);
  sources[0]?.source.emit('error', { target: { readyState: 2 } });
  expect(state.textContent).toBe('Not connected.');
  timers.shift()?.();
  sources[1]?.source.emit('error', { target: { readyState: 2 } });
  timers.shift()?.();
  const url = 'http://127.0.0.1:8080/events?accounts=alice%2Cbob';
  expect(sources.map((source) => source.url)).toEqual([url, `${url}&last_event_id=1-7`, `${url}&last_event_id=1-7`]);
});
