import { pause } from '@waggle/running/waiting';
import { z } from 'zod';
import { type Target } from '../target/target';
import { attackerAddresses } from '../traffic/addresses';
import { HttpClient } from '../traffic/http-client';
import { type RuleAttack } from './attack';

const renewals = 30;
/** Renewals of one account that may run at a time. */
const maxRunning = 2;

/** How long renewals wait: the service gives up after two seconds, which it would log as a failure of the database. */
const heldMs = 500;
const pollEveryMs = 20;
/** On a slow machine the renewals may begin too late for the first ones. */
const maxAttempts = 10;

export const parallelRenewals: RuleAttack = {
  kind: 'rule',
  name: 'extra-10',
  summary: `renews one session by ${renewals} parallel requests, each with another invalid cookie beside the valid one`,
  services: ['chat'],
  attempt: async (target) => {
    const account = target.newAccount();
    const { refresh_token: token } = await target.logInToChat(account);
    const http = new HttpClient(target.service('chat').url, attackerAddresses(23, 1).join());
    const renew = (_none: unknown, index: number) =>
      http.send('/users/refresh-token', {
        headers: { cookie: `access_token=${token}; refresh_token=invalid-${index}` },
      });
    let running = 0;
    try {
      for (let attempt = 0; running < maxRunning && attempt < maxAttempts; attempt += 1) {
        // Renewals write the row, so they wait for it.
        const lock = await target.holdLocks('chat', 'SELECT FROM session WHERE account = $1 FOR UPDATE', [account]);
        const ended = Promise.allSettled(Array.from({ length: renewals }, renew));
        try {
          const untilMs = performance.now() + heldMs;
          while (performance.now() < untilMs) {
            running = Math.max(running, await countWaiting(target, lock.pid));
            await pause(pollEveryMs);
          }
        } finally {
          await lock.release();
        }
        await ended;
      }
    } finally {
      await http.close();
    }
    if (running < maxRunning) throw new Error('the renewals did not run in parallel');
    return [{ what: 'renewals at a time', value: `${running} of ${renewals}`, isFailure: running > maxRunning }];
  },
};

const counted = z.object({ waiting: z.coerce.number() });

/** Counts the statements that wait for a backend, directly or behind one another. */
async function countWaiting(target: Target, pid: number): Promise<number> {
  const [row] = await target.query(
    'chat',
    `WITH RECURSIVE queue (pid) AS (
       SELECT $1::int UNION
       SELECT a.pid FROM pg_stat_activity a JOIN queue ON queue.pid = ANY (pg_blocking_pids(a.pid))
       WHERE a.datname = 'chat' AND a.wait_event_type = 'Lock'
     )
     SELECT count(*) - 1 AS waiting FROM queue`,
    [pid],
  );
  return counted.parse(row).waiting;
}
