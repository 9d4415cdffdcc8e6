import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { SessionsModule } from '../sessions/sessions.module';
import { BlocksService } from './blocks.service';
import { FriendshipsService } from './friendships.service';
import { RelationsController } from './relations.controller';
import { RelationsStore } from './relations.store';

/** What accounts are to one another: friends, blocked. */
@Module({
  imports: [DeliveryModule, SessionsModule],
  controllers: [RelationsController],
  providers: [BlocksService, FriendshipsService, RelationsStore],
})
export class RelationsModule {}
