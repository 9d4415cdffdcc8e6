import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ListReads } from './list-reads';
import { type AccountOf } from './response-limit-hooks';

/** Creates the interceptor that queues the reads of lists in `ListReads`. It runs after the guard of the service. */
export function queueListReads(accountOf: AccountOf): Type<NestInterceptor> {
  @Injectable()
  class QueueListReads implements NestInterceptor {
    constructor(@Inject(ListReads) private readonly reads: ListReads) {}

    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      const request = context.switchToHttp().getRequest<FastifyRequest>();
      const account = accountOf(request);
      if (account === undefined) throw new Error('no guard has authenticated the reader of a list');
      const reader = { account, connection: request.socket };
      return from(this.reads.run(reader, () => lastValueFrom(next.handle())));
    }
  }
  return QueueListReads;
}
