import { HttpConnection } from '../../measure/http-connection';
import { countPerSecond } from '../../measure/load-time';
import { type ReadsJob, type ReadsResult } from '../jobs';

/** The first of what went wrong is enough. */
const failuresTold = 3;

/** Requests one account after another, from each target in turn, over all connections at once. */
export async function loadReads(job: ReadsJob): Promise<ReadsResult> {
  const { url, targets, accounts, connections, warmUpMs, measuredMs } = job;
  let asked = 0;
  let answered = 0;
  const failures: string[] = [];
  const headers = `Host: ${new URL(url).host}\r\nAccept: application/json`;
  const nextRequest = () => {
    const target = targets[asked % targets.length] ?? '';
    const account = accounts[Math.floor(asked / targets.length) % accounts.length] ?? '';
    asked += 1;
    return `GET ${target}${account} HTTP/1.1\r\n${headers}\r\n\r\n`;
  };
  const open = Array.from(
    { length: connections },
    () =>
      new HttpConnection(new URL(url), nextRequest, (failure) => {
        answered += 1;
        if (failure !== undefined && failures.length < failuresTold) failures.push(failure);
      }),
  );
  const counted = await countPerSecond({ warmUpMs, measuredMs }, () => answered);
  for (const connection of open) connection.close();
  return { ...counted, failures };
}
