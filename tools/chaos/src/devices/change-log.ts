import { ChatClientError, RejectedError } from '@waggle/client';
import { type Change } from '../observation';
import { type Device } from './device';

/** A request to change something. */
export interface ChangeRequest {
  /** Requests with the same subject are made one after another, so that the order of their effects is known. */
  subject: string;
  messageId: string;
  /** What it changes: a deletion also unpins. */
  changes: readonly (Pick<Change, 'key' | 'effect'> & Partial<Pick<Change, 'value' | 'text'>>)[];
  perform: () => Promise<object>;
}

/** Makes the requests of devices, and records what they change and their results. */
export class ChangeLog {
  /** Of each key, in the order of sending. */
  readonly changes: Change[] = [];
  private readonly pending = new Map<string, Promise<void>>();

  /** Does nothing while a request with the same subject is pending. */
  make(device: Device, request: ChangeRequest): void {
    const { subject } = request;
    if (this.pending.has(subject)) return;
    const made = this.record(device, request).finally(() => this.pending.delete(subject));
    this.pending.set(subject, made);
  }

  /** Resolves when all requests have a result. */
  async settled(): Promise<void> {
    await Promise.all(this.pending.values());
  }

  private async record(device: Device, { messageId, changes, perform }: ChangeRequest): Promise<void> {
    const disconnectsBefore = device.disconnects;
    const sentAtMs = performance.now();
    const { result, revision } = await resultOf(perform);
    const mayRepeat = device.disconnects > disconnectsBefore;
    const common = { account: device.account, messageId, result, revision, mayRepeat };
    const times = { sentAtMs, endedAtMs: performance.now() };
    for (const change of changes) this.changes.push({ value: 0, text: '', ...change, ...common, ...times });
  }
}

async function resultOf(perform: ChangeRequest['perform']): Promise<Pick<Change, 'result' | 'revision'>> {
  try {
    const reply = await perform();
    const revision = 'revision' in reply ? Number(reply.revision) : 0;
    return { result: 'confirmed', revision };
  } catch (error) {
    if (!(error instanceof ChatClientError)) throw error;
    // If the service is `unavailable`, it may not know whether the database committed the change.
    const isRejected = error instanceof RejectedError && error.code !== 'unavailable';
    return { result: isRejected ? 'rejected' : 'unknown', revision: 0 };
  }
}
