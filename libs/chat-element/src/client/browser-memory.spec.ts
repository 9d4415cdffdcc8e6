import { BrowserMemory } from './browser-memory';

/** A local storage that can be full. The stored values are properties, as in a browser. */
class TestStorage {
  [key: string]: unknown;

  static isFull = false;

  getItem(key: string): unknown {
    return this[key] ?? null;
  }

  setItem(key: string, text: string): void {
    if (TestStorage.isFull) throw new Error('QuotaExceededError');
    this[key] = text;
  }

  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}

beforeEach(() => {
  TestStorage.isFull = false;
  Object.assign(globalThis, { localStorage: new TestStorage() });
});
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'localStorage');
});

it('keeps values in memory that the storage has no room for', () => {
  const memory = new BrowserMemory('test:');
  memory.write('a', 1);
  TestStorage.isFull = true;
  memory.write('a', 2);
  memory.write('b', 3);
  expect([memory.read('a'), memory.read('b')]).toEqual([2, 3]);
  expect(memory.keys('').sort()).toEqual(['a', 'b']);
  TestStorage.isFull = false;
  memory.write('a', 4);
  memory.remove('b');
  expect([memory.read('a'), memory.read('b')]).toEqual([4, undefined]);
  expect(memory.keys('')).toEqual(['a']);
  expect(new BrowserMemory('test:').read('a')).toBe(4);
});

it('prefers what another tab has stored since', () => {
  const memory = new BrowserMemory('test:');
  TestStorage.isFull = true;
  memory.write('a', 1);
  TestStorage.isFull = false;
  new BrowserMemory('test:').write('a', 2);
  expect(memory.read('a')).toBe(2);
});

it('reads nothing from a damaged value', () => {
  localStorage.setItem('test:a', '{');
  expect(new BrowserMemory('test:').read('a')).toBeUndefined();
});
