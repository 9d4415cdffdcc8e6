import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { SessionsModule } from '../sessions/sessions.module';
import { DraftsController } from './drafts.controller';
import { DraftsService } from './drafts.service';

/** What accounts have written, but not sent. */
@Module({ imports: [DeliveryModule, SessionsModule], controllers: [DraftsController], providers: [DraftsService] })
export class DraftsModule {}
