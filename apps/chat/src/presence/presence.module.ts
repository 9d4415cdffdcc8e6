import { Module } from '@nestjs/common';
import { RealtimeModule } from '../realtime/realtime.module';
import { StreamsModule } from '../streams/streams.module';
import { Presence } from './presence';
import { PresenceStore } from './presence.store';

/** Which friends are connected. */
@Module({ imports: [RealtimeModule, StreamsModule], providers: [Presence, PresenceStore] })
export class PresenceModule {}
