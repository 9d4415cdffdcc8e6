import { Module } from '@nestjs/common';
import { LogStore } from './log.store';
import { MissedStore } from './missed.store';

/** Writes and reads entries: what has happened in conversations and to accounts. */
@Module({ providers: [LogStore, MissedStore], exports: [LogStore, MissedStore] })
export class LogModule {}
