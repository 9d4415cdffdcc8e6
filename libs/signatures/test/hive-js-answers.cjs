// Answers questions to hive-js: a JSON list on stdin, the list of answers on stdout. It runs in a process of its own because
// hive-js is ten times slower inside Jest's sandbox.
//   {text, signature} → the public key that hive-js recovers, or null where it refuses
//   {text, seed}      → {signature, publicKey}: the text signed with the private key made of that seed
const { readFileSync } = require('node:fs');
const { hash, PrivateKey, Signature } = require('@hiveio/hive-js/lib/auth/ecc');

function recover({ text, signature }) {
  try {
    return Signature.fromHex(signature).recoverPublicKey(hash.sha256(text)).toString('STM');
  } catch {
    return null;
  }
}

function sign({ text, seed }) {
  const key = PrivateKey.fromSeed(seed);
  return { signature: Signature.sign(text, key).toHex(), publicKey: key.toPublicKey().toString('STM') };
}

// Else hive-js says here now and then how many attempts a signature took.
console.log = () => undefined;
const questions = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(questions.map((question) => ('seed' in question ? sign : recover)(question))));
