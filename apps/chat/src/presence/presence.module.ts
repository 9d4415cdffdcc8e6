import { Module } from '@nestjs/common';
import { SHARED_REDIS, type SharedRedis } from '@waggle/service/login';
import { RealtimeModule } from '../realtime/realtime.module';
import { DeliveryModule } from '../delivery/delivery.module';
import { RelationsModule } from '../relations/relations.module';
import { Presence } from './presence';
import { PresenceInRedis } from './presence-in-redis';
import { PRESENCE_REGISTER, PresenceInMemory } from './presence-register';

/** Notifies accounts when friends come online or go offline, and whether a new friend is online. */
@Module({
  imports: [RealtimeModule, DeliveryModule, RelationsModule],
  providers: [
    Presence,
    {
      provide: PRESENCE_REGISTER,
      inject: [SHARED_REDIS],
      useFactory: (redis: SharedRedis | undefined) =>
        redis === undefined ? new PresenceInMemory() : new PresenceInRedis(redis.commands, `${redis.prefix}presence:`),
    },
  ],
})
export class PresenceModule {}
