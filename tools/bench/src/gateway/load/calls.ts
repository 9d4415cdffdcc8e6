import { loadRequests, type RequestsResult } from '../../measure/load-requests';
import { type CallsJob } from '../jobs';

/** Sends calls. An error of JSON-RPC is a failure. */
export function loadCalls(job: CallsJob): Promise<RequestsResult> {
  const { url, path, body, count, values } = job;
  const [before = '', after] = body.split('#');
  const head = `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\nContent-Length: `;
  let sent = 0;
  const nextRequest = (): string => {
    const number = sent % (values?.length ?? count);
    const text = after === undefined ? before : `${before}${values?.[number] ?? number}${after}`;
    sent += 1;
    return `${head}${text.length}\r\n\r\n${text}`;
  };
  return loadRequests(job, nextRequest, '"result":');
}
