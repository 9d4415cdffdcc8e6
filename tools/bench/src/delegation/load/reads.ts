import { HttpConnection } from '../../measure/http-connection';
import { countPerSecond } from '../../measure/load-time';
import { type ReadsJob, type ReadsResult } from '../jobs';

const maxFailures = 3;

/** Requests one account after another, from each target in turn, over all connections at once. */
export async function loadReads(job: ReadsJob): Promise<ReadsResult> {
  const { url, targets, accounts, connections, warmUpMs, measuredMs } = job;
  let sent = 0;
  let completed = 0;
  const failures: string[] = [];
  const headers = `Host: ${new URL(url).host}\r\nAccept: application/json`;
  const nextRequest = () => {
    const target = targets[sent % targets.length] ?? '';
    const account = accounts[Math.floor(sent / targets.length) % accounts.length] ?? '';
    sent += 1;
    return `GET ${target}${account} HTTP/1.1\r\n${headers}\r\n\r\n`;
  };
  const open = Array.from(
    { length: connections },
    () =>
      new HttpConnection(new URL(url), nextRequest, (failure) => {
        completed += 1;
        if (failure !== undefined && failures.length < maxFailures) failures.push(failure);
      }),
  );
  const counted = await countPerSecond({ warmUpMs, measuredMs }, () => completed);
  for (const connection of open) connection.close();
  return { ...counted, failures };
}
