import { z } from 'zod';
import { increased } from './counter';

declare global {
  var packageOfTheWorker: unknown;
}

it('has its own instance of our modules', () => {
  expect(increased()).toBe(1);
});

it('shares packages with the files of its worker', () => {
  expect(z).toBe((globalThis.packageOfTheWorker ??= z));
});

it('has an unchanged environment, console and Error class', () => {
  expect(process.env['LEFT_BEHIND']).toBeUndefined();
  process.env['LEFT_BEHIND'] = 'by a test file';
  expect('leftBehind' in console).toBe(false);
  Object.assign(console, { leftBehind: true });
  expect(() => {
    process.chdir('/nowhere');
  }).toThrow(Error);
});
