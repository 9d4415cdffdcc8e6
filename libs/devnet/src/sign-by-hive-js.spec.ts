import { devnetKeys } from './keys';
import { signByHiveJs } from './sign-by-hive-js';

test('the signature is all that is told, also where hive-js says how many attempts it took', () => {
  // One text in some hundreds takes it more than ten; this is one for the key of alice.
  expect(signByHiveJs('text 425', devnetKeys('alice').posting.wif)).toMatch(/^[0-9a-f]{130}$/);
}, 20_000);

test('what is no key is refused, and not repeated', () => {
  expect(() => signByHiveJs('text', 'a secret')).toThrow(/^hive-js does not sign with this key$/);
}, 20_000);
