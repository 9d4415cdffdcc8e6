import { Inject, Injectable } from '@nestjs/common';
import {
  clientFrames,
  extendedClientFrames,
  notAnAccountName,
  tooLarge,
  type ClientFrameType,
  type ClientPayload,
  type FrameErrorCode,
} from '@waggle/contracts';
import { inSpan, kindOfError, LOGGER, type Logger, ThrottledLog, traceContext } from '@waggle/service';
import { z } from 'zod';
import { REALTIME_SETTINGS, type RealtimeSettings } from './realtime-settings';
import { ChatError } from '../errors';
import { type Connection } from './connection';
import { priceOfFrame } from './frame-prices';
import { keysOf, type FrameDescription, type Frames, type Resolve } from './frame-definition';
import { unauthenticated, type FrameRequest } from './frame-request';
import { RealtimeMetrics } from './realtime.metrics';

/** An `error` frame names this many validation issues at most. */
const maxReportedIssues = 5;

type PayloadSchemas = { [T in ClientFrameType]: z.ZodType<ClientPayload<T>> };

interface Route {
  frame: FrameDescription;
  handle: (request: FrameRequest, payload: unknown) => void | Promise<void>;
}

/**
 * Validates frames and dispatches them to the handler that is registered for their type. Counts frames, and counts and
 * logs failures.
 */
@Injectable()
export class FrameRouter {
  private readonly schemas: PayloadSchemas;
  private readonly routes = new Map<string, Route>();
  private readonly failures: ThrottledLog<{ err: unknown; type: string | undefined }>;

  constructor(
    @Inject(REALTIME_SETTINGS) { limits }: RealtimeSettings,
    private readonly metrics: RealtimeMetrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.schemas = clientFrames(limits);
    this.failures = new ThrottledLog(
      (leftOut, { err, type }) => {
        logger.error({ err, type, leftOut }, 'a frame could not be handled');
      },
      { kindOf: ({ err, type }) => `${type ?? ''} ${kindOfError(err)}` },
    );
  }

  /** Registers the handlers of all frames. */
  register(frames: Frames, resolve: Resolve): void {
    for (const type of keysOf(frames)) this.add(type, frames[type], resolve);
  }

  /**
   * Returns how many plain frames a frame of that type and length counts as; a type that is unknown or undefined is
   * plain.
   */
  priceOf(type: string | undefined, bytes: number): number {
    return priceOfFrame(this.routes.get(type ?? '')?.frame.price ?? 'plain', bytes);
  }

  /**
   * Calls the handler of a frame.
   *
   * @throws ChatError `unknown-type`, `unauthenticated`, `invalid-frame`, `too-large`, `account-not-found`; and what
   * the handler throws
   */
  dispatch(request: FrameRequest, payload: unknown): void | Promise<void> {
    if (request.type === undefined) throw new ChatError('invalid-frame', 'type: must be a text of 1 to 64 characters');
    const route = this.routes.get(request.type);
    if (route === undefined) throw unknownType();
    this.metrics.frames.add(1, request.type);
    if (route.frame.beforeAuthentication !== true && request.connection.authentication === undefined)
      throw unauthenticated();
    if (!maySend(request.connection, request.type)) throw unknownType();
    return inSpan(`frame ${request.type}`, () => {
      request.traceContext = traceContext();
      return route.handle(request, payload);
    });
  }

  /** Counts a frame that failed; logs it unless its sender caused the error. */
  noteFailure(code: FrameErrorCode | 'internal', err: unknown, type: string | undefined): void {
    this.metrics.failures.inc({ code });
    if (code === 'internal' || code === 'unavailable') this.failures.log({ err, type });
  }

  private add<T extends ClientFrameType>(type: T, frame: Frames[T], resolve: Resolve): void {
    const schema = z.compile(this.schemas[type]);
    const handle = frame.handlerOf(resolve);
    this.routes.set(type, { frame, handle: (request, payload) => handle(request, validatePayload(schema, payload)) });
  }
}

function unknownType(): ChatError {
  return new ChatError('unknown-type', 'there is no such type of frame');
}

/** Whether a connection has the capability for a type of frame, if the type needs one. */
function maySend(connection: Connection, type: string): boolean {
  return !isExtended(type) || connection.has(extendedClientFrames[type]);
}

function isExtended(type: string): type is keyof typeof extendedClientFrames {
  return Object.hasOwn(extendedClientFrames, type);
}

/**
 * Returns the payload as its schema parses it.
 *
 * @throws ChatError `invalid-frame`, `too-large`, `account-not-found`
 */
export function validatePayload<Payload>(schema: z.ZodType<Payload>, payload: unknown): Payload {
  const result = schema.safeParse(payload, { reportInput: false });
  if (result.success) return result.data;
  const { issues } = result.error;
  const messages = issues
    .slice(0, maxReportedIssues)
    .map((issue) => `${issue.path.join('.') || 'payload'}: ${issue.message}`);
  throw new ChatError(codeOf(issues), messages.join('; '));
}

/** Returns the error code of an invalid payload: the more specific one only if it applies to all issues. */
function codeOf(issues: readonly z.core.$ZodIssue[]): 'invalid-frame' | 'account-not-found' | 'too-large' {
  if (issues.every(isTooLarge)) return 'too-large';
  return issues.every(isInvalidName) ? 'account-not-found' : 'invalid-frame';
}

function isTooLarge(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params === tooLarge;
}

/** An invalid account name is reported as an account that does not exist. */
function isInvalidName(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_format' && issue.message === notAnAccountName;
}
