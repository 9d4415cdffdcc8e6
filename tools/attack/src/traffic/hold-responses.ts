import { pause } from '@waggle/running/waiting';
import { z } from 'zod';
import { type AttackContext } from './attack-context';
import { HeldResponse } from './held-response';

/** Requests whose responses are read slowly or not at all. All numbers are for each address. */
export const heldResponsesJob = z.object({
  url: z.string(),
  /** Texts of requests, which connections send in turn. */
  texts: z.array(z.string()).nonempty(),
  addresses: z.array(z.string()).nonempty(),
  /** Connections opened at once, and then in each second. */
  burst: z.number().int().positive(),
  perSecond: z.number().positive(),
  maxOpen: z.number().int().positive(),
  reading: z.object({ bytes: z.number().int().positive(), everyMs: z.number().positive() }).optional(),
  /** The largest response that the service may send to such a request, in bytes. */
  maxResponseBytes: z.number().int().positive().optional(),
});
export type HeldResponsesJob = z.infer<typeof heldResponsesJob>;

export const heldResponsesJobs = z.array(heldResponsesJob);

/** The count of responses that were longer than the service may send. */
export const tooLong = 'response too long';
/** The count of responses that announce a next page. */
export const nextPage = 'next page announced';
export const cut = 'cut by the service';

/** A connection is replaced after this time: the service may have closed it long before. */
const holdMs = 20_000;

/** Sends requests from all addresses at the rate of the job until the attack is over. */
export async function holdResponses(job: HeldResponsesJob, context: AttackContext): Promise<void> {
  await Promise.all(job.addresses.map((address) => new HeldResponses(address, job, context).run()));
}

export async function holdAllResponses(jobs: readonly HeldResponsesJob[], context: AttackContext): Promise<void> {
  await Promise.all(jobs.map((job) => holdResponses(job, context)));
}

/** The connections of one address. */
class HeldResponses {
  private readonly open = new Set<HeldResponse>();
  private opened = 0;

  constructor(
    private readonly address: string,
    private readonly job: HeldResponsesJob,
    private readonly context: AttackContext,
  ) {}

  async run(): Promise<void> {
    const { burst, maxOpen, perSecond } = this.job;
    for (let first = 0; first < burst; first += 1) this.openOne();
    while (await pause(1_000 / (perSecond * this.context.rate), this.context.signal)) {
      if (this.open.size < maxOpen) this.openOne();
    }
    for (const held of this.open) held.close();
  }

  private openOne(): void {
    const { url, texts, reading, maxResponseBytes = Infinity } = this.job;
    const { count } = this.context;
    const text = texts[this.opened % texts.length] ?? '';
    this.opened += 1;
    count('requests');
    const held = new HeldResponse(
      { url, address: this.address, text, reading },
      {
        onHead: ({ status, contentLength = 0, hasNextPage }) => {
          count(`status ${status}`);
          if (hasNextPage) count(nextPage);
          if (contentLength > maxResponseBytes) count(tooLong);
        },
        onConnectionFailed: () => {
          count('failed connections');
        },
        onCut: () => {
          count(cut);
        },
        onEnd: () => {
          clearTimeout(timer);
          this.open.delete(held);
        },
      },
    );
    const timer = setTimeout(() => {
      held.close();
    }, holdMs);
    this.open.add(held);
  }
}

/** Returns the text of a request, as it is written to a socket. */
export function getText(url: string, path: string, headers: Record<string, string> = {}): string {
  return head('GET', url, path, headers);
}

/** Returns the text of a request with a JSON body. */
export function postText(url: string, path: string, body: string): string {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  return head('POST', url, path, headers) + body;
}

function head(method: string, url: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: new URL(url).host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
