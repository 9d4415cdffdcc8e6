import { Module } from '@nestjs/common';
import { LogModule } from '../log/log.module';
import { SessionsModule } from '../sessions/sessions.module';
import { SearchIndexStore } from './search-index.store';
import { SearchIndexer } from './search-indexer';
import { SearchController } from './search.controller';
import { SearchService } from './search.service';
import { SearchStore } from './search.store';

/** Finds messages by their words, with an index of its own that is filled in the background. */
@Module({
  imports: [LogModule, SessionsModule],
  controllers: [SearchController],
  providers: [SearchIndexStore, SearchIndexer, SearchService, SearchStore],
})
export class SearchModule {}
