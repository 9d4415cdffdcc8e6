import { frameErrorCode, type FrameErrorCode } from '@waggle/contracts';
import { ServiceError, isDatabaseUnavailable, unavailable } from '@waggle/service';
import { type FrameLimits } from './frame-limits';
import { ChatError, RateLimitExceeded } from '../errors';
import { type Connection } from './connection';
import { decodeFrame, FrameRequest } from './frame-request';
import { type FrameRouter } from './frame-router';

interface RawFrame {
  data: Buffer;
  isBinary: boolean;
}

/**
 * Reading from a connection pauses while this many of its frames are queued or unfinished, or this many bytes are
 * queued. Frames are about 300 bytes long, so the number usually decides. One frame of the maximum length fits into the
 * queue.
 */
const maxUnfinished = 64;
const maxQueuedBytes = 64 * 1024;
/** A connection is closed after this many malformed frames within the period. */
const maxMalformed = 20;
const malformedPeriodMs = 60_000;
/** `retry_after_ms` of frames that are rejected because the instance is shutting down. */
const drainRetryMs = 1_000;

/**
 * Handles the frames of one connection one after another, in the order of arrival: `authenticate` is done before the
 * next frame is decoded. A handler can move work to the background, so that the next frame does not wait for it.
 */
export class FramePump {
  private readonly queued: RawFrame[] = [];
  private queuedBytes = 0;
  /** Number of frames whose handler has not finished. */
  private unfinished = 0;
  private onDrained: () => void = () => undefined;
  private readonly background = new Set<Promise<void>>();
  /** The frame for which the next one waits. */
  private current: FrameRequest | undefined;
  private isProcessing = false;
  private isPaused = false;
  private isDraining = false;
  private malformed = { count: 0, sinceMs: 0 };

  constructor(
    private readonly connection: Connection,
    private readonly limits: FrameLimits,
    private readonly router: FrameRouter,
  ) {
    connection.onFrame((data, isBinary) => {
      this.push({ data, isBinary });
    });
    connection.onControlFrame(() => {
      this.chargeControlFrame();
    });
  }

  /**
   * Rejects all further frames. Resolves when the unfinished ones are done and have their replies, or one of them may
   * be cut off.
   */
  async drain(): Promise<void> {
    this.isDraining = true;
    if (this.unfinished === 0 || this.current?.mayBeCutOff === true) return;
    await new Promise<void>((resolve) => {
      this.onDrained = resolve;
    });
  }

  /** Implements `Background` of `FrameRequest`. */
  runInBackground(work: Promise<void>, request: FrameRequest): void {
    const done = this.track(work, request).then(() => {
      this.background.delete(done);
    });
    this.background.add(done);
  }

  async backgroundWorkDone(): Promise<void> {
    await Promise.all(this.background);
  }

  /**
   * Charges a ping or pong as a plain frame. A client that cannot pay gets no error, but its connection is closed if it
   * goes on.
   */
  private chargeControlFrame(): void {
    if (!this.connection.isOpen) return;
    try {
      this.limits.charge(this.connection);
    } catch (error) {
      if (error instanceof RateLimitExceeded) this.connection.close('rateLimited');
    }
  }

  private push(frame: RawFrame): void {
    this.queued.push(frame);
    this.queuedBytes += frame.data.length;
    this.throttle();
    if (!this.isProcessing) void this.process();
  }

  private async process(): Promise<void> {
    this.isProcessing = true;
    for (let frame = this.dequeue(); frame !== undefined; frame = this.dequeue()) {
      const handling = this.handle(frame);
      // After a synchronous handler, the next frame is handled at once.
      if (handling !== undefined) await handling;
    }
    this.isProcessing = false;
  }

  /** Returns the next frame; a closed connection has none. */
  private dequeue(): RawFrame | undefined {
    if (!this.connection.isOpen) this.queued.length = 0;
    const frame = this.queued.shift();
    this.queuedBytes = frame === undefined ? 0 : this.queuedBytes - frame.data.length;
    this.throttle();
    return frame;
  }

  /** Pauses or resumes reading. */
  private throttle(): void {
    const isFull = this.queued.length + this.unfinished >= maxUnfinished || this.queuedBytes > maxQueuedBytes;
    if (isFull === this.isPaused) return;
    this.isPaused = isFull;
    if (isFull) this.connection.pause();
    else this.connection.resume();
  }

  /** Decodes and handles a frame. @returns a promise only if the handler returns one */
  private handle({ data, isBinary }: RawFrame): Promise<void> | undefined {
    let request: FrameRequest | undefined;
    try {
      const { type, payload, ref, hasInexactRef } = decodeFrame(data, isBinary);
      request = new FrameRequest(this.connection, type, ref, this.limits, this);
      if (this.isDraining)
        throw new ChatError('unavailable', 'this instance is shutting down', { retryAfterMs: drainRetryMs });
      request.charge(this.router.priceOf(type, data.length));
      if (hasInexactRef) throw new ChatError('invalid-frame', 'ref: must be from -(2^53 - 1) to 2^53 - 1');
      this.current = request;
      const done = this.router.dispatch(request, payload);
      return done === undefined ? undefined : this.track(done, request);
    } catch (error) {
      this.fail(error, request);
      return undefined;
    }
  }

  /** Counts the work as unfinished until it settles, and replies with an `error` frame if it fails. */
  private async track(work: Promise<void>, request: FrameRequest): Promise<void> {
    this.unfinished += 1;
    try {
      await work;
    } catch (error) {
      this.fail(error, request);
    }
    this.unfinished -= 1;
    if (this.unfinished === 0) this.onDrained();
    this.throttle();
  }

  /** Replies with an `error` frame, and closes the connection of a client that goes on sending what is rejected. */
  private fail(error: unknown, request: FrameRequest | undefined): void {
    const { code, message, retryAfterMs } = toErrorFrame(error);
    this.router.noteFailure(code, error, request?.type);
    this.connection.send(
      'error',
      {
        // The contract has no code for internal errors. `unavailable` tells the client to retry.
        code: code === 'internal' ? 'unavailable' : code,
        message,
        request_type: request?.type ?? null,
        ...(request?.ref !== undefined && { ref: request.ref }),
        ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
      },
      request?.ref,
    );
    if (error instanceof RateLimitExceeded) this.connection.close('rateLimited');
    // Only data that is not a frame counts: an invalid payload may be an honest mistake.
    if (request?.type === undefined) this.countMalformed();
  }

  private countMalformed(nowMs = Date.now()): void {
    if (nowMs - this.malformed.sinceMs > malformedPeriodMs) this.malformed = { count: 0, sinceMs: nowMs };
    this.malformed.count += 1;
    if (this.malformed.count >= maxMalformed) this.connection.close('tooManyMalformedFrames');
  }
}

interface ErrorFrame {
  code: FrameErrorCode | 'internal';
  message: string;
  retryAfterMs?: number | undefined;
}

function toErrorFrame(error: unknown): ErrorFrame {
  if (isDatabaseUnavailable(error)) return toErrorFrame(unavailable('The database', error));
  if (error instanceof ServiceError) {
    const code = frameErrorCode.safeParse(error.code);
    if (code.success) return { code: code.data, message: error.message, retryAfterMs: error.details.retryAfterMs };
  }
  return { code: 'internal', message: 'an error on our side; it has been logged', retryAfterMs: 1_000 };
}
