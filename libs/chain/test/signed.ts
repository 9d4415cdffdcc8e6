import table from '../../signatures/fixtures/signatures.json';

/** A text that was signed by hive-js, and the public key of its signature. */
export interface Signed {
  readonly text: string;
  readonly signature: string;
  readonly publicKey: string;
}

/** Three texts, each signed with a key of its own, which tests give to accounts of the devnet. */
export const signedByKeyA = row('login text');
export const signedByKeyB = row('another key');
export const signedByKeyC = row('a third key');

/** Three signatures of one text by one key, of different nonces; the top bit of r is set in the last one. */
export const signedThrice: readonly Signed[] = ['recovery byte 31', 'recovery byte 32', 'the top bit of r is set'].map(
  row,
);

function row(name: string): Signed {
  const found = table.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`the fixture has no row "${name}"`);
  return found;
}
