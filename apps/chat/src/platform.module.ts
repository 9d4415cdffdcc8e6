import { Module, type DynamicModule } from '@nestjs/common';
import { ExistingAccounts, KeyChecks, SignedProofs } from '@waggle/chain';
import { AuthenticationLimiter, ListReads, LOGGER, type Logger, POOL, poolOf, ResponseLimits } from '@waggle/service';
import { DataSource } from 'typeorm';
import { Accounts } from './accounts';
import { CHAT_CONFIG, type ChatConfig } from './config';
import { PRESENCE_REGISTER, type PresenceRegister } from './presence/presence-register';
import { FrameLimits } from './realtime/frame-limits';
import { AddressLimits } from './address-limits';
import { AdoptedTimeline } from './log/adopted-timeline';
import { BUS, type Bus } from './delivery/bus';

/** Dependencies of the features that are created before the application. */
export interface Platform {
  config: ChatConfig;
  logger: Logger;
  addressLimits: AddressLimits;
  responseLimits: ResponseLimits;
  existingAccounts: ExistingAccounts;
  proofs: SignedProofs;
  keyChecks: KeyChecks;
  timeline: AdoptedTimeline;
  /** Undefined if there is one instance. */
  bus: Bus | undefined;
  presence: PresenceRegister;
}

/** Makes the platform injectable everywhere. */
@Module({})
export class PlatformModule {
  static forRoot(platform: Platform): DynamicModule {
    const providers = [
      { provide: CHAT_CONFIG, useValue: platform.config },
      { provide: LOGGER, useValue: platform.logger },
      { provide: AddressLimits, useValue: platform.addressLimits },
      { provide: ResponseLimits, useValue: platform.responseLimits },
      { provide: AuthenticationLimiter, useValue: new AuthenticationLimiter() },
      { provide: ListReads, useValue: new ListReads(platform.responseLimits) },
      { provide: FrameLimits, useValue: new FrameLimits(platform.config.accountLimits.frames) },
      { provide: ExistingAccounts, useValue: platform.existingAccounts },
      { provide: SignedProofs, useValue: platform.proofs },
      { provide: KeyChecks, useValue: platform.keyChecks },
      { provide: AdoptedTimeline, useValue: platform.timeline },
      { provide: BUS, useValue: platform.bus },
      { provide: PRESENCE_REGISTER, useValue: platform.presence },
      { provide: POOL, inject: [DataSource], useFactory: poolOf },
    ];
    return {
      module: PlatformModule,
      global: true,
      providers: [...providers, Accounts],
      exports: [...providers.map(({ provide }) => provide), Accounts],
    };
  }
}
