import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type AllowedMethods } from './allowed-methods';
import { isDatabaseUnavailable } from '../database/database-errors';
import { ServiceError, unavailable } from '../errors/errors';
import { type LimitName } from '../errors/limit-names';
import { type Logger } from '../observability/logging';
import { kindOfError, ThrottledLog } from '../observability/throttled-log';
import { frameworkCode, restErrorBody, type ErrorBody } from '../errors/rest-error-body';

interface ErrorResponse {
  status: number;
  code: string;
  message: string;
  retryAfterMs?: number | undefined;
  limit?: LimitName | undefined;
  /** The methods that the path has, for an error with status 405. */
  allow?: readonly string[];
}

/** An unexpected error, and its request. */
interface UnexpectedError {
  error: unknown;
  request: FastifyRequest;
}

/**
 * Maps thrown errors to HTTP responses: `{statusCode, error, code, message, requestId}`. Unknown errors become an
 * opaque 500 and are logged in full, at most once per period, route and kind.
 */
@Catch()
export class RestErrorsFilter implements ExceptionFilter {
  private readonly unavailable: ThrottledLog;
  private readonly unexpected: ThrottledLog<UnexpectedError>;

  /** @param statusByCode the HTTP status of each `ServiceError` code of the service. */
  constructor(
    private readonly statusByCode: Readonly<Record<string, number>>,
    logger: Logger,
    private readonly allowedMethods: Pick<AllowedMethods, 'methodsOf'>,
    private readonly errorBody: ErrorBody = (body) => body,
  ) {
    this.unavailable = ThrottledLog.errors(logger, 'a dependency does not respond');
    this.unexpected = new ThrottledLog<UnexpectedError>(
      (leftOut, { error, request }) => {
        const { id, method, routeOptions } = request;
        logger.error({ err: error, leftOut, requestId: id, method, route: routeOptions.url }, 'unhandled error');
      },
      { kindOf: ({ error, request }) => `${request.method} ${request.routeOptions.url ?? ''} ${kindOfError(error)}` },
    );
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const { status, code, message, retryAfterMs, limit, allow } = this.responseTo(error, request);
    // The handler may have allowed caching of its response before it failed.
    void reply.header('Cache-Control', 'no-store');
    if (retryAfterMs !== undefined) void reply.header('Retry-After', Math.ceil(retryAfterMs / 1_000));
    if (allow !== undefined) void reply.header('Allow', allow.join(', '));
    if (status === 401) void reply.header('WWW-Authenticate', 'Bearer');
    void reply.status(status).send(this.errorBody(restErrorBody(status, code, message, request.id, limit)));
  }

  private responseTo(error: unknown, request: FastifyRequest): ErrorResponse {
    // The client closed the connection before its body was complete. The code of that error, ECONNRESET, may be the
    // database's too.
    if (error !== null && error === request.raw.errored) {
      return { status: 400, code: frameworkCode(400), message: 'the request was aborted before its end' };
    }
    if (isDatabaseUnavailable(error)) return this.responseTo(unavailable('The database', error), request);
    const status = error instanceof ServiceError ? this.statusByCode[error.code] : undefined;
    if (error instanceof ServiceError && status !== undefined) return this.responseToServiceError(error, status);
    if (error instanceof HttpException && error.getStatus() < 500) return this.responseToClientError(error, request);
    this.unexpected.log({ error, request });
    return { status: 500, code: 'internal', message: 'An error on our side; it has been logged.' };
  }

  private responseToServiceError(error: ServiceError, status: number): ErrorResponse {
    if (status >= 500) this.unavailable.log(error);
    const { code, message, details } = error;
    return { status, code, message, retryAfterMs: details.retryAfterMs, limit: details.limit };
  }

  /** Responds to an error of the framework about a request: it matches no route, or is invalid. */
  private responseToClientError(error: HttpException, request: FastifyRequest): ErrorResponse {
    const path = pathOf(request.url);
    const allow = request.is404 ? this.allowedMethods.methodsOf(path) : [];
    if (allow.length > 0) {
      const message = `${request.method} is not supported here`;
      return { status: 405, code: frameworkCode(405), message, allow };
    }
    const status = error.getStatus();
    // The framework's message repeats the URL with its query, which may contain private data.
    const message = status === 404 ? `there is no ${request.method} ${path}` : error.message;
    return { status, code: frameworkCode(status), message };
  }
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
