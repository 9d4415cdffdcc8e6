import { Module } from '@nestjs/common';
import { LogStore } from './log.store';
import { MissedStore } from './missed.store';
import { TimelineStore } from './timeline.store';

/** Writes and reads entries: what has happened in conversations and to accounts. */
@Module({ providers: [LogStore, MissedStore, TimelineStore], exports: [LogStore, MissedStore, TimelineStore] })
export class LogModule {}
