// Recovers keys with hive-js: a JSON list of {text, signature} on stdin; on stdout the list of public keys, null for a
// rejected signature. A separate process, because hive-js is ten times slower inside Jest's sandbox.
const { readFileSync } = require('node:fs');
const { hash, Signature } = require('@hiveio/hive-js/lib/auth/ecc');

function recover({ text, signature }) {
  try {
    return Signature.fromHex(signature).recoverPublicKey(hash.sha256(text)).toString('STM');
  } catch {
    return null;
  }
}

const tasks = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(tasks.map(recover)));
