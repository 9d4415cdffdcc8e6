import { HttpConnection } from '../../measure/http-connection';
import { countPerSecond } from '../../measure/load-time';
import { type CallsJob, type CallsResult } from '../jobs';

/** The first of what went wrong is enough. */
const failuresTold = 3;

/** Calls as fast as is answered, over all connections at once. An error of JSON-RPC is a failure. */
export async function loadCalls({ url, path, body, count, connections, ...times }: CallsJob): Promise<CallsResult> {
  const [before = '', after = ''] = body.split('#');
  const head = `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\nContent-Length: `;
  let asked = 0;
  let answered = 0;
  const failures: string[] = [];
  const nextRequest = () => {
    const text = `${before}${asked % count}${after}`;
    asked += 1;
    return `${head}${text.length}\r\n\r\n${text}`;
  };
  const onAnswer = (failure?: string) => {
    answered += 1;
    if (failure !== undefined && failures.length < failuresTold) failures.push(failure);
  };
  const open = Array.from(
    { length: connections },
    () => new HttpConnection(new URL(url), nextRequest, onAnswer, '"result":'),
  );
  const counted = await countPerSecond(times, () => answered);
  for (const connection of open) connection.close();
  return { ...counted, failures };
}
