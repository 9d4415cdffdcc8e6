import { Module } from '@nestjs/common';
import { KeyChanges } from './key-changes';

/** Sessions whose key no longer suffices on the chain. */
@Module({ providers: [KeyChanges], exports: [KeyChanges] })
export class KeyChangesModule {}
