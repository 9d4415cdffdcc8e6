import { Controller, Delete, Get, Param, Post, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import {
  videoSession,
  videoSessionCheck,
  videoSessionPath,
  videoSessionsQuery,
  type VideoSession,
  type VideoSessionCheck,
  type VideoSessionPath,
  type VideoSessionsQuery,
} from '@waggle/contracts';
import { NextPageLink, type WithNextLink } from '@waggle/service';
import { linkHeaders } from '@waggle/service/api-description';
import { RespondsWith } from '../api-description/responds-with';
import { Authentication } from './authentication';
import { QueueListReads } from './queue-list-reads.interceptor';
import { CallerSession, SessionGuard, Token } from './session.guard';
import { type SessionIdentity, SessionsService } from './sessions.service';

/** The calls that check tokens, and list and end the sessions of the caller. */
@Controller('api/v1/auth')
export class SessionsController {
  constructor(
    private readonly authentication: Authentication,
    private readonly sessions: SessionsService,
  ) {}

  @Post('check')
  @RespondsWith(videoSessionCheck, {
    summary: 'Checks a token: signed by this service, not expired, and its session has not ended',
    description:
      'Ends the session if the key that logged in no longer has authority on the chain, which is checked every few minutes.',
    errors: ['invalid-request', 'chain-unavailable'],
  })
  @UseGuards(SessionGuard)
  check(): VideoSessionCheck {
    return { ok: true };
  }

  @UseInterceptors(QueueListReads)
  @Get('sessions')
  @RespondsWith([videoSession], {
    summary: 'The live sessions of the account, the newest first',
    description: 'Page by page: a response has at most 100 sessions.',
    errors: ['invalid-request', 'chain-unavailable'],
    headers: linkHeaders,
  })
  @UseGuards(SessionGuard)
  async list(
    @CallerSession() session: SessionIdentity,
    @Query({ schema: videoSessionsQuery }) { cursor }: VideoSessionsQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<VideoSession[]> {
    return withNextLink(await this.sessions.list(session, cursor));
  }

  @Delete('sessions/:id')
  @RespondsWith(undefined, {
    summary: 'Ends a session of the account',
    errors: ['invalid-request', 'not-found', 'chain-unavailable'],
  })
  @UseGuards(SessionGuard)
  revoke(
    @CallerSession() session: SessionIdentity,
    @Param({ schema: videoSessionPath }) { id }: VideoSessionPath,
  ): Promise<void> {
    return this.sessions.revoke(session, id);
  }

  @Post('logout')
  @RespondsWith(undefined, { summary: 'Ends the session of the token', errors: ['invalid-request'] })
  async logOut(@Token() token: string | undefined): Promise<void> {
    await this.sessions.logOut(await this.authentication.authenticate(token));
  }
}
