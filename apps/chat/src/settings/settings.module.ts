import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SessionsModule } from '../sessions/sessions.module';
import { SettingEntity } from './setting.entity';
import { SettingsController } from './settings.controller';

@Module({ imports: [TypeOrmModule.forFeature([SettingEntity]), SessionsModule], controllers: [SettingsController] })
export class SettingsModule {}
