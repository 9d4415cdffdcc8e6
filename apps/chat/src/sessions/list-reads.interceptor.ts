import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ListReads } from '@waggle/service';
import { type FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { accountOf } from './access.guard';

/** Queues handlers that read lists: see `ListReads`. Runs after `AccessGuard`. */
@Injectable()
export class ListReadsInterceptor implements NestInterceptor {
  constructor(private readonly reads: ListReads) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { socket } = context.switchToHttp().getRequest<FastifyRequest>();
    const reader = { account: accountOf(context), connection: socket };
    return from(this.reads.run(reader, () => lastValueFrom(next.handle())));
  }
}
