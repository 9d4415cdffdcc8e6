import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { draft, maxDrafts, pageQuery, type Draft, type PageQuery } from '@waggle/contracts';
import { NextPageLink, type WithNextLink } from '@waggle/service';
import { linkHeaders } from '@waggle/service/api-description';
import { RespondsWith } from '../api-description/responds-with';
import { maxPageSize } from '../lists/page';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { QueueListReads } from '../sessions/queue-list-reads.interceptor';
import { DraftsService } from './drafts.service';

@Controller('messages')
@UseGuards(AccessGuard)
@UseInterceptors(QueueListReads)
export class DraftsController {
  constructor(private readonly drafts: DraftsService) {}

  @Get('drafts')
  @RespondsWith([draft], {
    summary: `The drafts of the caller, at most ${maxDrafts}`,
    description: `Ordered by conversation, in pages of at most ${maxPageSize}.`,
    errors: ['invalid-request'],
    headers: linkHeaders,
  })
  async list(
    @Caller() caller: string,
    @Query({ schema: pageQuery }) { cursor }: PageQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<Draft[]> {
    return withNextLink(await this.drafts.list(caller, cursor));
  }
}
