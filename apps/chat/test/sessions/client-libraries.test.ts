import { createHash } from 'node:crypto';
import { PrivateKey as DhivePrivateKey } from '@hiveio/dhive';
import { secp256k1 } from '@noble/curves/secp256k1';
import { devnetKeys, secretOf, signByHiveJs } from '@waggle/devnet';
import { ChatUnderTest } from '../support/chat-under-test';
import { freshTs } from '../support/login-path';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** How the client libraries in the field sign a text with a private key in wallet import format. */
const libraries: Record<string, (text: string, wif: string) => string> = {
  '@hiveio/hive-js': signByHiveJs,
  '@hiveio/dhive': (text, wif) => DhivePrivateKey.fromString(wif).sign(sha256(text)).toString(),
  noble: signByNoble,
};

describe.each(Object.keys(libraries))('a log-in signed by %s', (library) => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterAll(() => chat.stop());

  const logIn = async (wif: string) => {
    const ts = String(freshTs());
    const sig = libraries[library]?.(`alice${ts}`, wif) ?? '';
    return (await chat.instance.get(`/users/login?username=alice&ts=${ts}&sig=${sig}`)).status;
  };

  it('is accepted, also after a change of the key on the chain, and rejected with the previous key', async () => {
    const former = devnetKeys('alice').posting;
    const next = devnetKeys('new-key-of-alice').posting;
    expect(await logIn(former.wif)).toBe(200);
    expect(await logIn(next.wif)).toBe(401);
    chat.devnet.changeKey('alice', 'posting', next.publicKey);
    expect(await logIn(next.wif)).toBe(200);
    expect(await logIn(former.wif)).toBe(401);
  });
});

function signByNoble(text: string, wif: string): string {
  const signature = secp256k1.sign(sha256(text), secretOf(wif));
  return Buffer.of(31 + signature.recovery, ...signature.toBytes('compact')).toString('hex');
}
