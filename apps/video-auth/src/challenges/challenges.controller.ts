import { Body, Controller, Inject, Post, Req } from '@nestjs/common';
import { challenge, challengeBody, type Challenge, type ChallengeBody } from '@waggle/contracts';
import { type RateLimiter } from '@waggle/service';
import { type FastifyRequest } from 'fastify';
import { RespondsWith } from '../api-description/responds-with';
import { requireNetwork } from '../network';
import { ChallengesService } from './challenges.service';

/** Injects the `RateLimiter` of challenges. */
export const CHALLENGE_LIMITER = Symbol('ChallengeLimiter');

/** The call that issues challenges. */
@Controller('api/v1/auth')
export class ChallengesController {
  constructor(
    private readonly challenges: ChallengesService,
    @Inject(CHALLENGE_LIMITER) private readonly limiter: RateLimiter,
  ) {}

  @Post('challenge')
  @RespondsWith(challenge, {
    status: 201,
    summary: 'Issues a text for an account to sign and log in with, valid once',
    errors: ['invalid-request', 'account-not-found', 'unsupported-network', 'chain-unavailable'],
    credentials: [],
  })
  async issue(
    @Body({ schema: challengeBody }) body: ChallengeBody,
    @Req() { client }: FastifyRequest,
  ): Promise<Challenge> {
    requireNetwork(body.network);
    await this.limiter.consume(client);
    return this.challenges.issue(body.username);
  }
}
