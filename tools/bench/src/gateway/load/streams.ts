import { type StreamsJob, type StreamsResult } from '../jobs';
import { openStreams } from './event-socket';

/** Opens streams that last as long as this process. */
export async function loadStreams(job: StreamsJob): Promise<StreamsResult> {
  await openStreams(job);
  return { open: job.streams };
}
