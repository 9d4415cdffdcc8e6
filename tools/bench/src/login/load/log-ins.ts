import { setTimeout } from 'node:timers/promises';
import { signedLogins } from '@waggle/running';
import { countPerSecond } from '../../measure/load-time';
import { type RateJob, type RateResult } from '../jobs';
import { LoginClient } from './login-client';

const lookEveryMs = 10;

export async function loadRate(job: RateJob): Promise<RateResult> {
  const bodies = signedLogins(job.accounts, job.signed);
  const client = new LoginClient(job.url, job.atOnce);
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
      const refusal = await client.logIn(body);
      if (refusal === undefined) done += 1;
      else problem ??= refusal;
    }
  };
  const logins = Array.from({ length: job.atOnce }, logInUntilOver);
  while (done < job.warmUpLogins && problem === undefined) await setTimeout(lookEveryMs);
  const rate = await countPerSecond({ warmUpMs: 0, measuredMs: job.measuredMs }, () => done);
  isOver = true;
  await Promise.all(logins);
  await client.close();
  return { ...rate, ...(problem === undefined ? {} : { problem }) };
}
