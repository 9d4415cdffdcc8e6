import { devnetKeys } from '../keys';
import { signByHiveJs } from './sign-by-hive-js';

test('only the signature is returned, even if hive-js prints the number of attempts', () => {
  // hive-js needs more than ten attempts for about one text in several hundred; with alice's key, this is one of them.
  expect(signByHiveJs('text 425', devnetKeys('alice').posting.wif)).toMatch(/^[0-9a-f]{130}$/);
}, 20_000);

test('an invalid key is rejected, and not quoted', () => {
  expect(() => signByHiveJs('text', 'a secret')).toThrow(/^hive-js does not sign with this key$/);
}, 20_000);
