import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { delegationChange, delegationHistoryQuery, type DelegationHistoryQuery } from '@waggle/contracts';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { RespondsWith } from '../api-description/responds-with';
import { Responder } from '../responses/responder';
import { HistoryService } from './history.service';

/** Changes of delegations. */
@Controller('api/deleg/history')
export class HistoryController {
  constructor(
    private readonly history: HistoryService,
    private readonly responder: Responder,
  ) {}

  @Get('in')
  @RespondsWith([delegationChange], {
    summary: 'Changes of the delegations to an account, by default the latest first',
    errors: ['before-history', 'not-synced'],
  })
  listIn(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query({ schema: delegationHistoryQuery }) query: DelegationHistoryQuery,
  ): Promise<void> {
    return this.responder.respond(request, reply, this.history.list('in', query));
  }

  @Get('out')
  @RespondsWith([delegationChange], {
    summary: 'Changes of the delegations by an account, by default the latest first',
    errors: ['before-history', 'not-synced'],
  })
  listOut(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query({ schema: delegationHistoryQuery }) query: DelegationHistoryQuery,
  ): Promise<void> {
    return this.responder.respond(request, reply, this.history.list('out', query));
  }
}
