import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Authentication } from './authentication';
import { SessionRetention } from './session-retention';
import { SessionWriter } from './session-writer';
import { SessionEntity } from './session.entity';
import { SessionGuard } from './session.guard';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { SessionsStore } from './sessions.store';

/** Sessions: created, checked, listed, revoked and deleted. */
@Module({
  imports: [TypeOrmModule.forFeature([SessionEntity])],
  controllers: [SessionsController],
  providers: [Authentication, SessionWriter, SessionGuard, SessionRetention, SessionsService, SessionsStore],
  exports: [SessionsService],
})
export class SessionsModule {}
