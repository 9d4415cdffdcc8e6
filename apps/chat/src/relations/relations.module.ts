import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { SessionsModule } from '../sessions/sessions.module';
import { BlocksService } from './blocks.service';
import { FriendshipsService } from './friendships.service';
import { RelationsController } from './relations.controller';
import { RelationsStore } from './relations.store';

/** Friendships, friend requests and blocks. */
@Module({
  imports: [DeliveryModule, SessionsModule],
  controllers: [RelationsController],
  providers: [BlocksService, FriendshipsService, RelationsStore],
})
export class RelationsModule {}
