import { Module } from '@nestjs/common';
import { HistoryController } from './history.controller';
import { HistoryService } from './history.service';
import { HistoryStore } from './history.store';

/** Changes of delegations in the past. */
@Module({ controllers: [HistoryController], providers: [HistoryStore, HistoryService] })
export class HistoryModule {}
