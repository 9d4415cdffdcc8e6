import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { SessionsModule } from '../sessions/sessions.module';
import { Eraser } from './eraser';
import { ErasureController } from './erasure.controller';
import { ErasureService } from './erasure.service';

/** Erases the data of accounts. */
@Module({
  imports: [DeliveryModule, SessionsModule],
  controllers: [ErasureController],
  providers: [Eraser, ErasureService],
})
export class ErasureModule {}
