import { Module } from '@nestjs/common';
import { RealtimeModule } from '../realtime/realtime.module';
import { DeliveryModule } from '../delivery/delivery.module';
import { Presence } from './presence';

/** Notifies accounts when friends come online or go offline. */
@Module({ imports: [RealtimeModule, DeliveryModule], providers: [Presence] })
export class PresenceModule {}
