import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { SessionsModule } from '../sessions/sessions.module';
import { RelationsController } from './relations.controller';
import { RelationsService } from './relations.service';
import { RelationsStore } from './relations.store';

/** Friendships, friend requests and blocks. */
@Module({
  imports: [DeliveryModule, SessionsModule],
  controllers: [RelationsController],
  providers: [RelationsService, RelationsStore],
  exports: [RelationsService],
})
export class RelationsModule {}
