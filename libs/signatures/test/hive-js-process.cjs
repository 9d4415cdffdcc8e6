// Runs tasks with hive-js: a JSON list on stdin, the list of results on stdout. A separate process, because hive-js is ten times
// slower inside Jest's sandbox.
//   {text, signature} → the public key that hive-js recovers, or null if it rejects the signature
//   {text, seed}      → {signature, publicKey}: the text signed with the private key derived from the seed
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

// hive-js sometimes logs how many attempts a signature took.
console.log = () => undefined;
const tasks = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(tasks.map((task) => ('seed' in task ? sign : recover)(task))));
