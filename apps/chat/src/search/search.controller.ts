import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import {
  searchMessagesQuery,
  searchPage,
  searchResults,
  type SearchMessagesQuery,
  type SearchResults,
} from '@waggle/contracts';
import { NextPageLink, type WithNextLink } from '@waggle/service';
import { linkHeaders } from '@waggle/service/api-description';
import { RespondsWith } from '../api-description/responds-with';
import { maxPageSize } from '../lists/page';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { QueueListReads } from '../sessions/queue-list-reads.interceptor';
import { SearchService } from './search.service';

@Controller('messages')
@UseGuards(AccessGuard)
@UseInterceptors(QueueListReads)
export class SearchController {
  constructor(private readonly service: SearchService) {}

  @Get('search')
  @RespondsWith(searchResults, {
    summary: `Messages with all of some words, newest first, at most ${searchPage.max} and ${maxPageSize}`,
    description:
      "In the caller's dms, groups and the channels that it is a member of or follows; with `in:` in any channel. A message of the last seconds may be missing. A page may have fewer messages than requested, or none: it is the last one only without `Link`.",
    errors: ['invalid-request', 'not-found'],
    headers: linkHeaders,
  })
  async search(
    @Caller() caller: string,
    @Query({ schema: searchMessagesQuery }) query: SearchMessagesQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<SearchResults> {
    return withNextLink(await this.service.search(caller, query));
  }
}
