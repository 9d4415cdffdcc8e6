import { frameErrorCode, type FrameErrorCode } from '@waggle/contracts';
import { ServiceError, isDatabaseUnreachable, unavailable } from '@waggle/service';
import { type Connection } from './connection';
import { FrameRequest } from './frame-request';
import { type FrameRouter } from './frame-router';
import { decodeFrame } from './frames';

interface RawFrame {
  data: Buffer;
  isBinary: boolean;
}

/** So many frames of a connection may wait or be unfinished before we stop reading from it. */
const unfinishedMost = 64;
/** So many malformed frames within the period end a connection. */
const malformedMost = 20;
const malformedPeriodMs = 60_000;

/**
 * Takes the frames of one connection in the order in which they came, one after another: `authenticate` is done
 * before the next frame is looked at. A handler may hand over work (`settle`) that the next need not wait for.
 */
export class FramePump {
  private readonly waiting: RawFrame[] = [];
  private working = false;
  private paused = false;
  private unsettled = 0;
  private malformed = { count: 0, sinceMs: 0 };

  constructor(
    private readonly connection: Connection,
    private readonly router: FrameRouter,
    private readonly report: (code: FrameErrorCode | 'internal', error: unknown) => void,
  ) {}

  push(frame: RawFrame) {
    this.waiting.push(frame);
    if (!this.working) void this.work();
  }

  private async work() {
    this.working = true;
    for (
      let frame = this.waiting.shift();
      frame !== undefined && this.connection.isOpen;
      frame = this.waiting.shift()
    ) {
      this.throttle();
      const handling = this.handle(frame);
      if (handling !== undefined) await handling;
    }
    this.waiting.length = 0;
    this.working = false;
    this.throttle();
  }

  private throttle() {
    const isFull = this.waiting.length + this.unsettled >= unfinishedMost;
    if (isFull === this.paused) return;
    this.paused = isFull;
    if (isFull) this.connection.pause();
    else this.connection.resume();
  }

  /** @returns a promise only where the handler needs one, so that a frame that is done at once costs no turn of the event loop. */
  private handle({ data, isBinary }: RawFrame): Promise<void> | undefined {
    let request: FrameRequest | undefined;
    const fail = (error: unknown) => {
      this.fail(error, request);
    };
    try {
      const { type, payload, ref } = decodeFrame(data, isBinary);
      request = new FrameRequest(this.connection, type, ref, this.follow);
      return this.router.dispatch(request, payload)?.catch(fail);
    } catch (error) {
      fail(error);
      return undefined;
    }
  }

  private readonly follow = (work: Promise<void>, request: FrameRequest) => {
    this.unsettled += 1;
    void work
      .catch((error: unknown) => {
        this.fail(error, request);
      })
      .finally(() => {
        this.unsettled -= 1;
        this.throttle();
      });
  };

  private fail(error: unknown, request: FrameRequest | undefined) {
    const { code, message, retryAfterMs } = answerTo(error);
    this.report(code, error);
    this.connection.send(
      'error',
      {
        // What is unknown to the contract is a fault of ours, which trying again may mend.
        code: code === 'internal' ? 'unavailable' : code,
        message,
        request_type: request?.type ?? null,
        ...(request?.ref !== undefined && { ref: request.ref }),
        ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
      },
      request?.ref,
    );
    if (code === 'invalid-frame') this.countMalformed();
  }

  private countMalformed(nowMs = Date.now()) {
    if (nowMs - this.malformed.sinceMs > malformedPeriodMs) this.malformed = { count: 0, sinceMs: nowMs };
    this.malformed.count += 1;
    if (this.malformed.count >= malformedMost) this.connection.close('tooManyMalformedFrames');
  }
}

function answerTo(error: unknown): {
  code: FrameErrorCode | 'internal';
  message: string;
  retryAfterMs?: number | undefined;
} {
  if (isDatabaseUnreachable(error)) return answerTo(unavailable('The database', error));
  if (error instanceof ServiceError) {
    const code = frameErrorCode.safeParse(error.code);
    if (code.success) return { code: code.data, message: error.message, retryAfterMs: error.details.retryAfterMs };
  }
  return { code: 'internal', message: 'an error on our side; it has been logged', retryAfterMs: 1_000 };
}
