import { Body, Controller, Post, Req } from '@nestjs/common';
import { challenge, challengeBody, type Challenge, type ChallengeBody } from '@waggle/contracts';
import { type FastifyRequest } from 'fastify';
import { RespondsWith } from '../api-description/responds-with';
import { requireNetwork } from '../network';
import { RateLimits } from '../rate-limits/rate-limits';
import { ChallengesService } from './challenges.service';

@Controller('api/v1/auth')
export class ChallengesController {
  constructor(
    private readonly challenges: ChallengesService,
    private readonly limits: RateLimits,
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
    await this.limits.countChallenge(client);
    return this.challenges.issue(body.username);
  }
}
