import { Module, type DynamicModule } from '@nestjs/common';
import { AccountSignatures, ExistingAccounts, HiveClient, SignedProofs } from '@waggle/chain';
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
  hive: HiveClient;
  addressLimits: AddressLimits;
  responseLimits: ResponseLimits;
  existingAccounts: ExistingAccounts;
  signatures: AccountSignatures;
  proofs: SignedProofs;
  timeline: AdoptedTimeline;
  /** Undefined if there is one instance. */
  bus: Bus | undefined;
  presence: PresenceRegister;
}

/** Makes the platform injectable everywhere. */
@Module({})
export class PlatformModule {
  static forRoot({
    config,
    logger,
    hive,
    addressLimits,
    responseLimits,
    existingAccounts,
    signatures,
    proofs,
    timeline,
    bus,
    presence,
  }: Platform): DynamicModule {
    const providers = [
      { provide: CHAT_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: HiveClient, useValue: hive },
      { provide: AddressLimits, useValue: addressLimits },
      { provide: ResponseLimits, useValue: responseLimits },
      { provide: AuthenticationLimiter, useValue: new AuthenticationLimiter() },
      { provide: ListReads, useValue: new ListReads(responseLimits) },
      { provide: FrameLimits, useValue: new FrameLimits(config.accountLimits.frames) },
      { provide: ExistingAccounts, useValue: existingAccounts },
      { provide: AccountSignatures, useValue: signatures },
      { provide: SignedProofs, useValue: proofs },
      { provide: AdoptedTimeline, useValue: timeline },
      { provide: BUS, useValue: bus },
      { provide: PRESENCE_REGISTER, useValue: presence },
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
