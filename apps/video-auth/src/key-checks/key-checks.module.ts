import { Module } from '@nestjs/common';
import { AccountSignatures, KeyChecks } from '@waggle/chain';
import { videoAuthority } from '@waggle/contracts';
import { LOGGER, Registry, type Logger } from '@waggle/service';
import { observeKeyChecks } from '@waggle/service/chain';
import { VIDEO_AUTH_CONFIG, type VideoAuthConfig } from '../config';

/** Checks whether the key of a session still suffices on the chain. */
@Module({
  providers: [
    {
      provide: KeyChecks,
      inject: [AccountSignatures, VIDEO_AUTH_CONFIG, Registry, LOGGER],
      useFactory: (
        signatures: AccountSignatures,
        { keyChecks }: VideoAuthConfig,
        metrics: Registry,
        logger: Logger,
      ): KeyChecks =>
        new KeyChecks(signatures, {
          roles: [videoAuthority],
          ...keyChecks,
          ...observeKeyChecks('video_auth_key_checks_total', metrics, logger),
        }),
    },
  ],
  exports: [KeyChecks],
})
export class KeyChecksModule {}
