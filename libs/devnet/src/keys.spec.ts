import { loadHiveJs } from './signing/hive-js';
import { devnetKeys, devnetPassword, isPublicKey, roles, secretOf } from './keys';

const alice = devnetKeys('alice');

describe('the keys of an account', () => {
  it('are those that hive-js derives from name and password', () => {
    const expected = loadHiveJs().auth.getPrivateKeys('alice', devnetPassword('alice'));
    for (const role of roles) {
      expect(alice[role]).toEqual({ wif: expected[role], publicKey: expected[`${role}Pubkey`] });
    }
  });

  it('differ by role and account', () => {
    const keys = [...roles.map((role) => alice[role]), ...roles.map((role) => devnetKeys('bob')[role])];
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(8);
  });
});

describe('the text of a key', () => {
  it('is rejected with one changed character', () => {
    const { publicKey, wif } = alice.posting;
    const changed = (text: string) => text.slice(0, 10) + (text[10] === 'a' ? 'b' : 'a') + text.slice(11);
    expect(isPublicKey(publicKey)).toBe(true);
    expect(isPublicKey(changed(publicKey))).toBe(false);
    expect(isPublicKey(publicKey.replace('STM', 'TST'))).toBe(false);
    expect(isPublicKey('STM0OIl')).toBe(false);
    expect(() => secretOf(changed(wif))).toThrow('wallet import format');
  });
});
