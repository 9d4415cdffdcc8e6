import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import {
  balanceQuery,
  type BalanceQuery,
  currentDelegation,
  delegationBalance,
  delegationPair,
  delegationPairQuery,
  type DelegationPairQuery,
  delegationsQuery,
  type DelegationsQuery,
  pendingReturn,
  pendingReturnsQuery,
  type PendingReturnsQuery,
} from '@waggle/contracts';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { RespondsWith } from '../api-description/responds-with';
import { Responder } from '../responses/responder';
import { DelegationsService } from './delegations.service';

/** Current delegations. */
@Controller('api/deleg')
export class DelegationsController {
  constructor(
    private readonly delegations: DelegationsService,
    private readonly responder: Responder,
  ) {}

  @Get('account')
  @RespondsWith(delegationBalance, {
    summary: 'The totals of the delegations to and by an account',
    errors: ['before-history', 'not-synced'],
  })
  getBalance(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query({ schema: balanceQuery }) query: BalanceQuery,
  ): Promise<void> {
    return this.responder.respond(request, reply, this.delegations.getBalance(query));
  }

  @Get('in')
  @RespondsWith([currentDelegation], {
    summary: 'The delegations to an account, by ascending id',
    errors: ['before-history', 'not-synced'],
  })
  listIn(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query({ schema: delegationsQuery }) query: DelegationsQuery,
  ): Promise<void> {
    return this.responder.respond(request, reply, this.delegations.list('in', query));
  }

  @Get('out')
  @RespondsWith([currentDelegation], {
    summary: 'The delegations by an account, by ascending id',
    errors: ['before-history', 'not-synced'],
  })
  listOut(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query({ schema: delegationsQuery }) query: DelegationsQuery,
  ): Promise<void> {
    return this.responder.respond(request, reply, this.delegations.list('out', query));
  }

  @Get('pair')
  @RespondsWith(delegationPair, {
    summary: 'The delegation of one account to another',
    errors: ['before-history', 'not-synced'],
  })
  getPair(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query({ schema: delegationPairQuery }) query: DelegationPairQuery,
  ): Promise<void> {
    return this.responder.respond(request, reply, this.delegations.getPair(query));
  }

  @Get('returns')
  @RespondsWith([pendingReturn], {
    summary: 'The pending returns of an account: removed delegations that it does not have back yet, by ascending id',
  })
  listReturns(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query({ schema: pendingReturnsQuery }) query: PendingReturnsQuery,
  ): Promise<void> {
    return this.responder.respond(request, reply, this.delegations.listReturns(query));
  }
}
