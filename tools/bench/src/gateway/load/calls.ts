import { HttpConnection } from '../../measure/http-connection';
import { countPerSecond } from '../../measure/load-time';
import { type CallsJob, type CallsResult } from '../jobs';

const maxFailures = 3;

/** Sends calls as fast as possible over all connections. An error of JSON-RPC is a failure. */
export async function loadCalls({ url, path, body, count, connections, ...times }: CallsJob): Promise<CallsResult> {
  const [before = '', after = ''] = body.split('#');
  const head = `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\nContent-Length: `;
  let sent = 0;
  let completed = 0;
  const failures: string[] = [];
  const nextRequest = () => {
    const text = `${before}${sent % count}${after}`;
    sent += 1;
    return `${head}${text.length}\r\n\r\n${text}`;
  };
  const onResponse = (failure?: string) => {
    completed += 1;
    if (failure !== undefined && failures.length < maxFailures) failures.push(failure);
  };
  const open = Array.from(
    { length: connections },
    () => new HttpConnection(new URL(url), nextRequest, onResponse, '"result":'),
  );
  const counted = await countPerSecond(times, () => completed);
  for (const connection of open) connection.close();
  return { ...counted, failures };
}
