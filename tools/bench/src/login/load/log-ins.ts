import { setTimeout } from 'node:timers/promises';
import { signedLogins } from '@waggle/running/signed-logins';
import { countPerSecond } from '../../measure/load-time';
import { type BurstJob, type BurstResult, type RateJob, type RateResult } from '../jobs';
import { LoginClient } from './login-client';

const pollIntervalMs = 10;

export async function loadRate(job: RateJob): Promise<RateResult> {
  const bodies = signedLogins(job.accounts, job.signed);
  const client = new LoginClient(job.url, job.concurrency);
  let isOver = false;
  let done = 0;
  let problem: string | undefined;
  const logInUntilOver = async () => {
    while (!isOver) {
      const body = bodies.pop();
      if (body === undefined) {
        problem ??= `${job.signed} signed log-ins were not enough`;
        return;
      }
      const error = await client.logIn(body);
      if (error === undefined) done += 1;
      else problem ??= error;
    }
  };
  const logins = Array.from({ length: job.concurrency }, logInUntilOver);
  while (done < job.warmUpLogins && problem === undefined) await setTimeout(pollIntervalMs);
  const rate = await countPerSecond({ warmUpMs: 0, measuredMs: job.measuredMs }, () => done);
  isOver = true;
  await Promise.all(logins);
  await client.close();
  return { ...rate, ...(problem === undefined ? {} : { problem }) };
}

export async function loadBurst({ url, account, count }: BurstJob): Promise<BurstResult> {
  const client = new LoginClient(url, count);
  const errors = await Promise.all(signedLogins([account], count).map((body) => client.logIn(body)));
  await client.close();
  return { tokens: errors.filter((error) => error === undefined).length };
}
