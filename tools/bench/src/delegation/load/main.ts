import { runBenchProcess } from '../../measure/bench-process';
import { loadRequests } from '../../measure/load-requests';
import { readsJob } from '../jobs';

/** Requests one account after another, from each target in turn. */
runBenchProcess((input) => {
  const job = readsJob.parse(input);
  const { url, targets, accounts } = job;
  let sent = 0;
  const headers = `Host: ${new URL(url).host}\r\nAccept: application/json`;
  const nextRequest = (): string => {
    const target = targets[sent % targets.length] ?? '';
    const account = accounts[Math.floor(sent / targets.length) % accounts.length] ?? '';
    sent += 1;
    return `GET ${target}${account} HTTP/1.1\r\n${headers}\r\n\r\n`;
  };
  return loadRequests(job, nextRequest);
});
