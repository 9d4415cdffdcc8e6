import { Module } from '@nestjs/common';
import { MembershipModule } from '../membership/membership.module';
import { SessionsModule } from '../sessions/sessions.module';
import { PinsController } from './pins.controller';
import { PinsService } from './pins.service';

/** Pinned messages. */
@Module({ imports: [MembershipModule, SessionsModule], controllers: [PinsController], providers: [PinsService] })
export class PinsModule {}
