import { accountName, bigAccount } from '@waggle/running';
import { z } from 'zod';
import { attackerAddresses, honestAddress } from '../attacker/addresses';
import { heldResponsesJob, holdResponses } from '../attacker/held-responses';
import { getText } from '../attacker/http-text';
import { pause } from '../attacker/pause';
import { type Observer } from '../attack';
import { judgeResponse, limited } from '../honest/honest-client';
import { HttpClient } from '../http-client';
import { type Target } from '../target/target';
import { loadAttack } from './load-attack';

const csv = { accept: 'text/csv' };

/** How often an honest client asks for a short export. */
const exportEveryMs = 500;
const lookEveryMs = 250;

/** A transaction must not be held open longer than a reader may make no progress, which is 15 s, and a little. */
const transactionMaxSeconds = 20;

/** Readers from eight addresses that ask for a long export and do not take it. */
export const stalledExports = loadAttack({
  name: 'medium-6',
  summary: 'stalled readers of exports (CSV) from eight addresses',
  services: ['delegation'],
  job: heldResponsesJob,
  prepare: (target) => {
    const { url } = target.service('delegation');
    return Promise.resolve({
      url,
      texts: [getText(url, `/api/deleg/in?account=${bigAccount}`, csv)],
      addresses: attackerAddresses(13, 8),
      atOnce: 1,
      perSecond: 1,
      maxOpen: 4,
    });
  },
  observe: (target, { url }) => Promise.resolve(watchExports(target, url)),
  run: holdResponses,
});

function watchExports(target: Target, url: string): Observer {
  const over = new AbortController();
  const { signal } = over;
  const http = new HttpClient(url, honestAddress);
  let [done, refused, failed, longestSeconds] = [0, 0, 0, 0];
  const exporting = async () => {
    while (await pause(exportEveryMs, signal)) {
      const path = `/api/deleg/in?account=${accountName(1)}`;
      const fault = await http.send(path, { headers: csv }).then(judgeResponse, () => 'no response');
      if (fault === undefined) done += 1;
      else if (fault === limited) refused += 1;
      else failed += 1;
    }
  };
  const looking = async () => {
    while (await pause(lookEveryMs, signal))
      longestSeconds = Math.max(longestSeconds, await openTransactionSeconds(target));
  };
  const working = Promise.all([exporting(), looking()]);
  return {
    stop: async () => {
      over.abort();
      await working;
      await http.close();
      return [
        {
          what: 'honest exports',
          value: `${done} done, ${refused} refused, ${failed} failed`,
          // The stalled readers must leave room for half of the others.
          isFault: done <= refused || failed > 0,
        },
        {
          what: 'longest transaction',
          value: `${longestSeconds.toFixed(1)} s`,
          isFault: longestSeconds > transactionMaxSeconds,
        },
      ];
    },
  };
}

const age = z.object({ seconds: z.coerce.number() });

/** How long the oldest transaction of the service has been open that waits for its reader. */
async function openTransactionSeconds(target: Target): Promise<number> {
  const [row] = await target.query(
    'delegation',
    `SELECT coalesce(max(extract(epoch FROM now() - xact_start)), 0) AS seconds FROM pg_stat_activity
     WHERE datname = 'delegation' AND state = 'idle in transaction'`,
  );
  return age.parse(row).seconds;
}
