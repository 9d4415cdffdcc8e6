import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { SessionsModule } from '../sessions/sessions.module';
import { SettingsController } from './settings.controller';
import { SettingsService } from './settings.service';

/** The settings of accounts. */
@Module({
  imports: [DeliveryModule, SessionsModule],
  controllers: [SettingsController],
  providers: [SettingsService],
  exports: [SettingsService],
})
export class SettingsModule {}
