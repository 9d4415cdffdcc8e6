import { frameErrorCode, type FrameErrorCode } from '@waggle/contracts';
import { ServiceError, isDatabaseUnavailable, unavailable } from '@waggle/service';
import { type FrameLimits } from '../rate-limits/frame-limits';
import { ChatError } from '../errors';
import { RateLimitExceeded } from '../rate-limits/rate-limit-exceeded';
import { type Connection } from './connection';
import { FrameRequest, type RequestPump } from './frame-request';
import { type FrameRouter } from './frame-router';
import { decodeFrame } from './frames';

interface RawFrame {
  data: Buffer;
  isBinary: boolean;
}

/**
 * What a connection may have waiting or unfinished before we stop reading from it: frames, and bytes of those waiting. Frames are
 * about 300 bytes long, so that the number of them decides; one of the greatest length may wait.
 */
const maxUnfinished = 64;
const maxQueuedBytes = 64 * 1024;
/** So many malformed frames within the period end a connection. */
const maxMalformed = 20;
const malformedPeriodMs = 60_000;
/** Whoever writes to an instance that ends finds another one after so long. */
const drainRetryMs = 1_000;

/**
 * Takes the frames of one connection in the order in which they came, one after another: `authenticate` is done
 * before the next frame is looked at. A handler may hand over work (`settle`) that the next need not wait for.
 */
export class FramePump implements RequestPump {
  private readonly waiting: RawFrame[] = [];
  private waitingBytes = 0;
  private unfinished = 0;
  private onFinished: () => void = () => undefined;
  private readonly handed = new Set<Promise<void>>();
  private working = false;
  private paused = false;
  private finishing = false;
  private malformed = { count: 0, sinceMs: 0 };

  constructor(
    private readonly connection: Connection,
    private readonly limits: FrameLimits,
    private readonly router: FrameRouter,
    private readonly report: (code: FrameErrorCode | 'internal', error: unknown, type: string | undefined) => void,
  ) {}

  push(frame: RawFrame) {
    this.waiting.push(frame);
    this.waitingBytes += frame.data.length;
    this.throttle();
    if (!this.working) void this.work();
  }

  /** Refuses what comes from now on; resolves when what was begun is done and answered. */
  async finish(): Promise<void> {
    this.finishing = true;
    if (this.unfinished === 0) return;
    await new Promise<void>((resolve) => {
      this.onFinished = resolve;
    });
  }

  runInBackground(work: Promise<void>, request: FrameRequest) {
    const done = this.follow(work, request).then(() => {
      this.handed.delete(done);
    });
    this.handed.add(done);
  }

  async backgroundWork(): Promise<void> {
    await Promise.all(this.handed);
  }

  charge(price: number) {
    this.limits.take(this.connection, { price });
  }

  chargeAfterwards(price: number) {
    this.limits.chargeAfterwards(this.connection, price);
  }

  affordableInMs(price: number): number {
    return this.limits.affordableInMs(this.connection, price);
  }

  private async work() {
    this.working = true;
    for (let frame = this.take(); frame !== undefined; frame = this.take()) {
      const handling = this.handle(frame);
      if (handling !== undefined) await handling;
    }
    this.working = false;
  }

  private take(): RawFrame | undefined {
    if (!this.connection.isOpen) this.waiting.length = 0;
    const frame = this.waiting.shift();
    this.waitingBytes = frame === undefined ? 0 : this.waitingBytes - frame.data.length;
    this.throttle();
    return frame;
  }

  private throttle() {
    const isFull = this.waiting.length + this.unfinished >= maxUnfinished || this.waitingBytes > maxQueuedBytes;
    if (isFull === this.paused) return;
    this.paused = isFull;
    if (isFull) this.connection.pause();
    else this.connection.resume();
  }

  /** @returns a promise only where the handler needs one, so that a frame that is done at once costs no turn of the event loop. */
  private handle({ data, isBinary }: RawFrame): Promise<void> | undefined {
    let request: FrameRequest | undefined;
    try {
      const { type, payload, ref } = decodeFrame(data, isBinary);
      request = new FrameRequest(this.connection, type, ref, this);
      if (this.finishing) throw new ChatError('unavailable', 'this instance ends', { retryAfterMs: drainRetryMs });
      this.charge(this.router.priceOf(type, data.length));
      const done = this.router.dispatch(request, payload);
      return done === undefined ? undefined : this.follow(done, request);
    } catch (error) {
      this.fail(error, request);
      return undefined;
    }
  }

  /** Answers a failure of the work, and counts it as unfinished until then. */
  private async follow(work: Promise<void>, request: FrameRequest): Promise<void> {
    this.unfinished += 1;
    try {
      await work;
    } catch (error) {
      this.fail(error, request);
    }
    this.unfinished -= 1;
    if (this.unfinished === 0) this.onFinished();
    this.throttle();
  }

  private fail(error: unknown, request: FrameRequest | undefined) {
    const { code, message, retryAfterMs } = answerTo(error);
    this.report(code, error, request?.type);
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
    if (error instanceof RateLimitExceeded) this.connection.close('rateLimited');
    // A payload that breaks a rule is somebody's mistake; what is no frame at all is not.
    if (request?.type === undefined) this.countMalformed();
  }

  private countMalformed(nowMs = Date.now()) {
    if (nowMs - this.malformed.sinceMs > malformedPeriodMs) this.malformed = { count: 0, sinceMs: nowMs };
    this.malformed.count += 1;
    if (this.malformed.count >= maxMalformed) this.connection.close('tooManyMalformedFrames');
  }
}

interface ErrorAnswer {
  code: FrameErrorCode | 'internal';
  message: string;
  retryAfterMs?: number | undefined;
}

function answerTo(error: unknown): ErrorAnswer {
  if (isDatabaseUnavailable(error)) return answerTo(unavailable('The database', error));
  if (error instanceof ServiceError) {
    const code = frameErrorCode.safeParse(error.code);
    if (code.success) return { code: code.data, message: error.message, retryAfterMs: error.details.retryAfterMs };
  }
  return { code: 'internal', message: 'an error on our side; it has been logged', retryAfterMs: 1_000 };
}
