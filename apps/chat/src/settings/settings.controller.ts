import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { settings, settingsBody, type Settings, type SettingsBody } from '@waggle/contracts';
import { Repository } from 'typeorm';
import { Answers } from '../api-description/answers';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { SettingEntity } from './setting.entity';

/** What an account has set. Appending a message looks at it too, in SQL of its own. */
@Controller('users/settings')
@UseGuards(AccessGuard)
export class SettingsController {
  constructor(@InjectRepository(SettingEntity) private readonly settings: Repository<SettingEntity>) {}

  @Get()
  @Answers(settings, { summary: 'The settings of the caller' })
  async get(@Caller() caller: string): Promise<Settings> {
    const row = await this.settings.findOneBy({ account: caller });
    return { dm: { only_from_friends: row?.dmFromFriends ?? false } };
  }

  @Post()
  @Answers(settings, { summary: 'Changes the settings of the caller', errors: ['invalid-request'] })
  async set(@Caller() caller: string, @Body({ schema: settingsBody }) { dm }: SettingsBody): Promise<Settings> {
    await this.settings.upsert({ account: caller, dmFromFriends: dm.only_from_friends }, ['account']);
    return { dm };
  }
}
