import { Inject, Injectable } from '@nestjs/common';
import { clientFrames, notAnAccountName, tooLarge, type ClientFrameType, type ClientPayload } from '@waggle/contracts';
import { z } from 'zod';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { ChatError } from '../errors';
import { unauthenticated, type FrameRequest } from './frame-request';
import { RealtimeMetrics } from './realtime.metrics';

type Handler<T extends ClientFrameType> = (request: FrameRequest, payload: ClientPayload<T>) => void | Promise<void>;

type PayloadSchemas = { [T in ClientFrameType]: z.ZodType<ClientPayload<T>> };

interface Route {
  /** Open to connections that have not authenticated. */
  anonymous: boolean;
  handle: (request: FrameRequest, payload: unknown) => void | Promise<void>;
}

/** The first faults are enough to mend a frame. */
const faultsTold = 5;

/** Which handler takes which type of frame. Features register theirs in their constructors. */
@Injectable()
export class FrameRouter {
  private readonly schemas: PayloadSchemas;
  private readonly routes = new Map<string, Route>();

  constructor(
    @Inject(CHAT_CONFIG) { limits }: ChatConfig,
    private readonly metrics: RealtimeMetrics,
  ) {
    this.schemas = clientFrames(limits);
  }

  /** The handler gets the payload validated; what it throws is answered with an `error` frame. */
  on<T extends ClientFrameType>(type: T, handler: Handler<T>, { anonymous = false } = {}) {
    const schema = z.compile(this.schemas[type]);
    this.routes.set(type, { anonymous, handle: (request, payload) => handler(request, validate(schema, payload)) });
  }

  /** @throws ServiceError `unknown-type`, `unauthenticated`, `invalid-frame`, `too-large`, `account-not-found`, and what the handler throws. */
  dispatch(request: FrameRequest, payload: unknown): void | Promise<void> {
    if (request.type === undefined) throw new ChatError('invalid-frame', 'type: must be a text of 1 to 64 characters');
    const route = this.routes.get(request.type);
    if (route === undefined) throw new ChatError('unknown-type', 'there is no such type of frame');
    this.metrics.frames.add(1, request.type);
    if (!route.anonymous && request.connection.authentication === undefined) throw unauthenticated();
    return route.handle(request, payload);
  }
}

function validate<Payload>(schema: z.ZodType<Payload>, payload: unknown): Payload {
  const result = schema.safeParse(payload, { reportInput: false });
  if (result.success) return result.data;
  const { issues } = result.error;
  const faults = issues.slice(0, faultsTold).map((issue) => `${issue.path.join('.') || 'payload'}: ${issue.message}`);
  throw new ChatError(codeOf(issues), faults.join('; '));
}

function codeOf(issues: readonly z.core.$ZodIssue[]) {
  if (issues.every(isOfSize)) return 'too-large';
  return issues.every(isOfName) ? 'account-not-found' : 'invalid-frame';
}

function isOfSize(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params === tooLarge;
}

/** What cannot be the name of an account is an account that is not there. */
function isOfName(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_format' && issue.message === notAnAccountName;
}
