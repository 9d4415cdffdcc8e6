import { Controller, Get, Header, Inject, Query } from '@nestjs/common';
import { POOL, ServiceError } from '@waggle/service';
import { type Pool } from 'pg';
import { type DigestDocument, digestDocument, type DigestQuery, digestQuery } from './digest-document';
import { digestAt, lastDigestBlock } from './digest.statements';

/** The digests that the indexer computed. */
@Controller('index')
export class DigestController {
  constructor(@Inject(POOL) private readonly database: Pool) {}

  /** The digest of the index as of a block, to compare with another deployment's. It never changes. */
  @Get('digest')
  @Header('Cache-Control', 'public, max-age=3600')
  async get(@Query({ schema: digestQuery }) { block }: DigestQuery): Promise<DigestDocument> {
    const stored = await digestAt.find(this.database, { blockNumber: block });
    if (stored !== undefined) return digestDocument.parse(JSON.parse(stored.document));
    const last = await lastDigestBlock.find(this.database, {});
    const known = last === undefined ? 'there is none yet' : `the last one is of block ${last.block_number}`;
    throw new ServiceError('no-digest', `There is no digest of block ${block}: ${known}`);
  }
}
