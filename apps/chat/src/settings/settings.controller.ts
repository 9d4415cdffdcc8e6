import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { settings, settingsBody, type Settings, type SettingsBody } from '@waggle/contracts';
import { RespondsWith } from '../api-description/responds-with';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { ChangeLimitGuard } from '../sessions/change-limit.guard';
import { SettingsService } from './settings.service';

/** Reads and changes the settings of the caller. */
@Controller('users/settings')
@UseGuards(AccessGuard)
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  @Get()
  @RespondsWith(settings, { summary: 'The settings of the caller' })
  get(@Caller() caller: string): Promise<Settings> {
    return this.settings.get(caller);
  }

  @Post()
  @UseGuards(ChangeLimitGuard)
  @RespondsWith(settings, { summary: 'Changes the settings of the caller', errors: ['invalid-request'] })
  set(@Caller() caller: string, @Body({ schema: settingsBody }) body: SettingsBody): Promise<Settings> {
    return this.settings.set(caller, body);
  }
}
