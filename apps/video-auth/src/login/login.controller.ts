import { Body, Controller, Post, Req } from '@nestjs/common';
import {
  videoLogin,
  videoLoginAliasBody,
  videoLoginBody,
  type VideoAuthErrorCode,
  type VideoLogin,
  type VideoLoginAliasBody,
  type VideoLoginBody,
} from '@waggle/contracts';
import { type FastifyRequest } from 'fastify';
import { RespondsWith } from '../api-description/responds-with';
import { type Device } from '../sessions/sessions.service';
import { bodyTextOf } from '../strict-bodies';
import { readLogin } from './login-request';
import { LoginService } from './login.service';

/** Maximum length of a stored user agent. Longer ones are truncated. */
const maxUserAgentLength = 512;

const errors: VideoAuthErrorCode[] = [
  'invalid-request',
  'account-mismatch',
  'account-not-found',
  'unsupported-network',
  'challenge-required',
  'invalid-signature',
  'proof-expired',
  'proof-replayed',
  'invalid-challenge',
  'chain-unavailable',
];

/** The description of the paths that existing clients use. */
const aliasDescription = {
  status: 201,
  description:
    'As `login_singleton`. `proof_payload` may be an object too; `username`, `network` and `authority_type` may be left out.',
  errors,
  credentials: [],
};

/** Log-in, at its path and the two that existing clients use. */
@Controller('api/v1/auth')
export class LoginController {
  constructor(private readonly login: LoginService) {}

  @Post('login_singleton')
  @RespondsWith(videoLogin, {
    status: 201,
    summary: 'Begins a session by a signature of the posting key',
    description:
      'Sign the text of `proof_payload` with the posting key of the account and send both. Each signature is valid once and for a few minutes. After `proof-expired`, correct your clock by the response header `Date` and sign once more.',
    errors,
    credentials: [],
  })
  logIn(@Body({ schema: videoLoginBody }) body: VideoLoginBody, @Req() request: FastifyRequest): Promise<VideoLogin> {
    return this.login.logIn(readLogin(body, bodyTextOf(request)), deviceOf(request), request.client);
  }

  @Post('login/singleton')
  @RespondsWith(videoLogin, { summary: 'Another path of `login_singleton`', ...aliasDescription })
  logInAtAlias(
    @Body({ schema: videoLoginAliasBody }) body: VideoLoginAliasBody,
    @Req() request: FastifyRequest,
  ): Promise<VideoLogin> {
    return this.login.logIn(readLogin(body, bodyTextOf(request)), deviceOf(request), request.client);
  }

  @Post('login/singleton/hive')
  @RespondsWith(videoLogin, { summary: 'Another path of `login_singleton`', ...aliasDescription })
  logInAtHiveAlias(
    @Body({ schema: videoLoginAliasBody }) body: VideoLoginAliasBody,
    @Req() request: FastifyRequest,
  ): Promise<VideoLogin> {
    return this.login.logIn(readLogin(body, bodyTextOf(request)), deviceOf(request), request.client);
  }
}

function deviceOf({ headers, ip }: FastifyRequest): Device {
  return { userAgent: headers['user-agent']?.slice(0, maxUserAgentLength) ?? null, ip };
}
