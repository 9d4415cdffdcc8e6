// Signs texts with the libraries that wallets use, each as its documentation shows, and prints [{library, message,
// signature, publicKey}]. `message` is the signed text, or the digest of a transaction as {digest}. A separate process:
// hive-js is slow inside Jest's sandbox, and the WebAssembly of beekeeper and wax needs real modules. node
// sign-by-libraries.mjs <texts per library>
import { createHash, randomUUID } from 'node:crypto';
import beekeeperFactory from '@hiveio/beekeeper';
import dhive from '@hiveio/dhive';
import hiveJs from '@hiveio/hive-js/lib/auth/ecc/index.js';
import { createWaxFoundation } from '@hiveio/wax';
import { PrivateKey as HiveTxKey } from 'hive-tx';
import { PrivateKey as HiveTx5Key } from 'hive-tx-5';

// hive-js sometimes logs how many attempts a signature took.
console.log = () => undefined;
const texts = Array.from({ length: Number(process.argv[2]) }, (_, index) =>
  JSON.stringify({ account: 'alice', index }),
);
const wif = dhive.PrivateKey.fromSeed('libs/signatures/test').toString();
const publicKey = dhive.PrivateKey.fromString(wif).createPublic().toString();
const sha256 = (text) => createHash('sha256').update(text).digest();

const beekeeper = await beekeeperFactory({ inMemory: true, enableLogs: false });
const { wallet } = await beekeeper.createSession(randomUUID()).createWallet('wallet', undefined, true);
const beekeeperKey = await wallet.importKey(wif);
const wax = await createWaxFoundation();

/** A transaction that carries the text, as wax serializes it and beekeeper signs it. */
function signByWax(text) {
  const transaction = wax.createTransactionWithTaPoS('0000000109833ce528d5bbfb3f6225b39ee10086', '2026-01-01T00:00:00');
  transaction.pushOperation({
    custom_json_operation: { required_auths: [], required_posting_auths: ['alice'], id: 'log-in', json: text },
  });
  const digest = transaction.sigDigest;
  return { message: { digest }, signature: wallet.signDigest(beekeeperKey, digest) };
}

const sign = {
  '@hiveio/beekeeper': (text) => wallet.signDigest(beekeeperKey, sha256(text).toString('hex')),
  '@hiveio/dhive': (text) => dhive.PrivateKey.fromString(wif).sign(sha256(text)).toString(),
  '@hiveio/hive-js': (text) => hiveJs.Signature.sign(text, wif).toHex(),
  '@hiveio/wax': signByWax,
  'hive-tx 5': (text) => HiveTx5Key.from(wif).sign(sha256(text)).customToString(),
  'hive-tx 7': (text) => HiveTxKey.from(wif).sign(sha256(text)).customToString(),
};

const signed = Object.entries(sign).flatMap(([library, signText]) =>
  texts.map((text) => {
    const result = signText(text);
    return { library, publicKey, ...(typeof result === 'string' ? { message: text, signature: result } : result) };
  }),
);
await beekeeper.delete();
process.stdout.write(JSON.stringify(signed));
