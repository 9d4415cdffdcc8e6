import { Module } from '@nestjs/common';
import { DigestController } from './digest.controller';

/** Serves the digests that the indexer computed. */
@Module({ controllers: [DigestController] })
export class DigestsModule {}
