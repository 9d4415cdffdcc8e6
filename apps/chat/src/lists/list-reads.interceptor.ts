import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ListReads } from '@waggle/service';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { accountOf } from '../sessions/access.guard';

/** Runs handlers that read lists as `ListReads` allows. Stands behind `AccessGuard`. */
@Injectable()
export class ListReadsInterceptor implements NestInterceptor {
  constructor(private readonly reads: ListReads) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.reads.run(accountOf(context), () => lastValueFrom(next.handle())));
  }
}
