import { Body, Controller, Post, Req, UseGuards } from '@nestjs/common';
import { erasure, erasureBody, type Erasure, type ErasureBody } from '@waggle/contracts';
import { LoginLimits } from '@waggle/service/login';
import { type FastifyRequest } from 'fastify';
import { RespondsWith } from '../api-description/responds-with';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { ErasureService } from './erasure.service';

/** Erases the data of the caller. */
@Controller('users/erase')
@UseGuards(AccessGuard)
export class ErasureController {
  constructor(
    private readonly erasures: ErasureService,
    private readonly limits: LoginLimits,
  ) {}

  @Post()
  @RespondsWith(erasure, {
    summary: 'Erases the data of the caller',
    description: `\`sig\` signs the text \`erase all chat data of <username> at <ts>\` with the posting or active key of the account, as for a log-in. It can be used once.

All sessions end. Messages, reactions, memberships, relations and settings are erased in the background, which begins a minute later; until that is done, the account cannot log in (\`being-erased\`). Then it may begin anew. Other accounts get the events of deleted messages, left conversations and ended friendships.`,
    status: 202,
    errors: [
      'invalid-request',
      'invalid-signature',
      'proof-expired',
      'proof-replayed',
      'account-not-found',
      'being-erased',
    ],
  })
  async erase(
    @Caller() caller: string,
    @Req() { client }: FastifyRequest,
    @Body({ schema: erasureBody }) body: ErasureBody,
  ): Promise<Erasure> {
    // Before the signature is verified, which calls Hive nodes.
    await this.limits.count(client, caller);
    return this.erasures.request(caller, body);
  }
}
