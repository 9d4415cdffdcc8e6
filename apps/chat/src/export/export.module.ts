import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module';
import { SettingsModule } from '../settings/settings.module';
import { ExportController } from './export.controller';
import { ExportService } from './export.service';

/** Exports the data of an account. */
@Module({
  imports: [SessionsModule, SettingsModule],
  controllers: [ExportController],
  providers: [ExportService],
})
export class ExportModule {}
