import { STATUS_CODES } from 'node:http';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ServiceError, isDatabaseUnreachable, unavailable } from './errors';
import { RepeatedLine, type Logger } from './logging';

/** Codes for what the framework itself refuses, by status. */
const frameworkCodes: Record<number, string> = {
  400: 'invalid-request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'timeout',
  413: 'too-large',
  414: 'too-large',
  415: 'unsupported-media-type',
  429: 'rate-limited',
  431: 'too-large',
  503: 'unavailable',
};

interface Answer {
  status: number;
  code: string;
  message: string;
  retryAfterMs?: number | undefined;
}

/** The body of every REST error. */
export function restErrorBody(statusCode: number, code: string, message: string, requestId: string) {
  return { statusCode, error: STATUS_CODES[statusCode] ?? 'Error', code, message, requestId };
}

/**
 * The one place where an error becomes an HTTP answer: `{statusCode, error, code, message, requestId}`.
 * What is unknown is logged whole and answered as an opaque 500.
 */
@Catch()
export class RestErrorsFilter implements ExceptionFilter {
  private readonly unreachable: RepeatedLine;

  /** @param statusByCode the HTTP status of each `ServiceError` code of the service. */
  constructor(
    private readonly statusByCode: Readonly<Record<string, number>>,
    private readonly logger: Logger,
  ) {
    this.unreachable = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'a dependency does not answer');
    });
  }

  catch(error: unknown, host: ArgumentsHost) {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const { status, code, message, retryAfterMs } = this.answer(error, request);
    if (retryAfterMs !== undefined) void reply.header('Retry-After', Math.ceil(retryAfterMs / 1_000));
    void reply.status(status).send(restErrorBody(status, code, message, request.id));
  }

  private answer(error: unknown, request: FastifyRequest): Answer {
    if (isDatabaseUnreachable(error)) return this.answer(unavailable('The database', error), request);
    if (error instanceof ServiceError) {
      const status = this.statusByCode[error.code];
      if (status !== undefined) {
        if (status >= 500) this.unreachable.say(error);
        return { status, code: error.code, message: error.message, retryAfterMs: error.details.retryAfterMs };
      }
    }
    if (error instanceof HttpException && error.getStatus() < 500) {
      const status = error.getStatus();
      // The framework's own text repeats the URL, and with it what somebody put into the query.
      const message = status === 404 ? `there is no ${request.method} ${pathOf(request.url)}` : error.message;
      return { status, code: frameworkCodes[status] ?? 'invalid-request', message };
    }
    this.logThrown(error, request);
    return { status: 500, code: 'internal', message: 'An error on our side; it has been logged.' };
  }

  private logThrown(err: unknown, request: FastifyRequest) {
    this.logger.error(
      { err, requestId: request.id, method: request.method, route: request.routeOptions.url },
      'unhandled error',
    );
  }
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
