import { BrowserStorage } from './browser-storage';

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

it('keeps values in memory if the storage has no room for them', () => {
  const storage = new BrowserStorage('test:');
  storage.write('a', 1);
  TestStorage.isFull = true;
  storage.write('a', 2);
  storage.write('b', 3);
  expect([storage.read('a'), storage.read('b')]).toEqual([2, 3]);
  expect(storage.keys('').sort()).toEqual(['a', 'b']);
  TestStorage.isFull = false;
  storage.write('a', 4);
  storage.remove('b');
  expect([storage.read('a'), storage.read('b')]).toEqual([4, undefined]);
  expect(storage.keys('')).toEqual(['a']);
  expect(new BrowserStorage('test:').read('a')).toBe(4);
});

it('prefers newer values of another tab', () => {
  const storage = new BrowserStorage('test:');
  TestStorage.isFull = true;
  storage.write('a', 1);
  TestStorage.isFull = false;
  new BrowserStorage('test:').write('a', 2);
  expect(storage.read('a')).toBe(2);
});

it('reads nothing from a damaged value', () => {
  localStorage.setItem('test:a', '{');
  expect(new BrowserStorage('test:').read('a')).toBeUndefined();
});
