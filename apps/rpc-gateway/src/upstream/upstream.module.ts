import { type DynamicModule, Module } from '@nestjs/common';
import { Platform } from '@waggle/service';
import { ChainHead } from './chain-head';
import { type OpenUpstream, openUpstream, type UpstreamSettings } from './open-upstream';
import { Upstream } from './upstream';

/** Injects every `Backend`. */
export const BACKENDS = Symbol('Backends');

const openedUpstream = Symbol('OpenUpstream');

/** Forwards calls to nodes. */
@Module({})
export class UpstreamModule {
  static forRoot(settings: UpstreamSettings): DynamicModule {
    const inject = [openedUpstream];
    return {
      module: UpstreamModule,
      global: true,
      providers: [
        {
          provide: openedUpstream,
          inject: [Platform],
          useFactory: (platform: Platform) => openUpstream(settings, platform),
        },
        { provide: Upstream, inject, useFactory: ({ upstream }: OpenUpstream) => upstream },
        { provide: ChainHead, inject, useFactory: ({ head }: OpenUpstream) => head },
        { provide: BACKENDS, inject, useFactory: ({ backends }: OpenUpstream) => backends },
      ],
      exports: [Upstream, ChainHead, BACKENDS],
    };
  }
}
