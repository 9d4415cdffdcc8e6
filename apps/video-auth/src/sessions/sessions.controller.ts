import { Controller, Delete, Get, Param, Post, UseGuards } from '@nestjs/common';
import {
  videoSession,
  videoSessionCheck,
  videoSessionPath,
  type VideoSession,
  type VideoSessionCheck,
  type VideoSessionPath,
} from '@waggle/contracts';
import { Answers } from '../api-description/answers';
import { Caller, SessionGuard, Token } from './session.guard';
import { SessionsService, type Caller as Session } from './sessions.service';

@Controller('api/v1/auth')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post('check')
  @Answers(videoSessionCheck, {
    summary: 'Says whether a token is good: signed by us, not expired, its session not ended',
    description:
      'Ends the session where the key that logged in no longer suffices on the chain, which is asked every few minutes.',
    errors: ['chain-unavailable'],
  })
  @UseGuards(SessionGuard)
  check(): VideoSessionCheck {
    return { ok: true };
  }

  @Get('sessions')
  @Answers([videoSession], { summary: 'The live sessions of the account', errors: ['chain-unavailable'] })
  @UseGuards(SessionGuard)
  list(@Caller() caller: Session): Promise<VideoSession[]> {
    return this.sessions.list(caller);
  }

  @Delete('sessions/:id')
  @Answers(undefined, {
    summary: 'Ends a session of the account',
    errors: ['invalid-request', 'not-found', 'chain-unavailable'],
  })
  @UseGuards(SessionGuard)
  revoke(@Caller() caller: Session, @Param({ schema: videoSessionPath }) { id }: VideoSessionPath): Promise<void> {
    return this.sessions.revoke(caller, id);
  }

  @Post('logout')
  @Answers(undefined, { summary: 'Ends the session of the token' })
  logOut(@Token() token: string | undefined): Promise<void> {
    return this.sessions.logOut(token);
  }
}
