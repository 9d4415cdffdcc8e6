import { signedLogins } from '@waggle/running';
import { type BurstJob, type BurstResult } from '../jobs';
import { LoginClient } from './login-client';

export async function loadBurst({ url, account, count }: BurstJob): Promise<BurstResult> {
  const client = new LoginClient(url, count);
  const refusals = await Promise.all(signedLogins([account], count).map((body) => client.logIn(body)));
  await client.close();
  return { tokens: refusals.filter((refusal) => refusal === undefined).length };
}
