import { createHash } from 'node:crypto';
import { type VideoLoginBody } from '@waggle/contracts';
import { devnetKeys, recoveryOffset, secretOf } from '@waggle/devnet';
import { ecdsaSign } from 'secp256k1';

/** Creates the bodies of `count` log-ins of the accounts in turn, each valid once. 10,000 take about a second. */
export function signedLogins(accounts: readonly string[], count: number): string[] {
  const nowMs = Date.now();
  const secrets = accounts.map((account) => secretOf(devnetKeys(account).posting.wif));
  return Array.from({ length: count }, (_, index) => {
    const turn = index % accounts.length;
    // Each log-in of an account has a different time.
    const ts = new Date(nowMs - Math.floor(index / accounts.length)).toISOString();
    const account = accounts[turn] ?? '';
    const text = JSON.stringify({ account, ts });
    const body: VideoLoginBody = {
      username: account,
      network: 'hive',
      authority_type: 'posting',
      proof_payload: text,
      proof: sign(text, secrets[turn] ?? new Uint8Array()),
    };
    return JSON.stringify(body);
  });
}

function sign(text: string, secret: Uint8Array): string {
  const digest = createHash('sha256').update(text).digest();
  const { signature, recid } = ecdsaSign(digest, secret);
  return Buffer.concat([Buffer.of(recid + recoveryOffset), signature]).toString('hex');
}
