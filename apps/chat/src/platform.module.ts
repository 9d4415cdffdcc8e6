import { Module, type DynamicModule } from '@nestjs/common';
import { AccountAuthorities, AccountSignatures, HiveClient } from '@waggle/chain';
import { type Logger, type SingleUse } from '@waggle/service';
import { DataSource } from 'typeorm';
import { CHAT_CONFIG, type ChatConfig } from './config';
import { POOL, poolOf } from './database';
import { LOGGER } from './logger';
import { USED_PROOFS } from './sessions/login-proof';

/** What the features stand on, made before the application. */
export interface Platform {
  config: ChatConfig;
  logger: Logger;
  hive: HiveClient;
  authorities: AccountAuthorities;
  signatures: AccountSignatures;
  usedProofs: SingleUse;
}

/** Makes the platform injectable everywhere. */
@Module({})
export class PlatformModule {
  static forRoot({ config, logger, hive, authorities, signatures, usedProofs }: Platform): DynamicModule {
    const providers = [
      { provide: CHAT_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: HiveClient, useValue: hive },
      { provide: AccountAuthorities, useValue: authorities },
      { provide: AccountSignatures, useValue: signatures },
      { provide: USED_PROOFS, useValue: usedProofs },
      { provide: POOL, inject: [DataSource], useFactory: poolOf },
    ];
    return { module: PlatformModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
