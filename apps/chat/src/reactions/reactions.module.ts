import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { ReactionsService } from './reactions.service';

/** Reactions to messages. `log` stores and reads them. */
@Module({ imports: [DeliveryModule], providers: [ReactionsService] })
export class ReactionsModule {}
