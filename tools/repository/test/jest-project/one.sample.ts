import { z } from 'zod';
import { increased } from './counter';

declare global {
  var packageOfTheWorker: unknown;
}

it('has a module of ours to itself', () => {
  expect(increased()).toBe(1);
});

it('has the package that the worker has', () => {
  expect(z).toBe((globalThis.packageOfTheWorker ??= z));
});

it('has the environment, the console and the errors as a file finds them that is the first', () => {
  expect(process.env['LEFT_BEHIND']).toBeUndefined();
  process.env['LEFT_BEHIND'] = 'by a file';
  expect('leftBehind' in console).toBe(false);
  Object.assign(console, { leftBehind: true });
  expect(() => {
    process.chdir('/nowhere');
  }).toThrow(Error);
});
