import { type DynamicModule, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { Platform } from '@waggle/service';
import { JwksController } from './jwks.controller';
import { TokenKeys } from './token-keys';
import { TOKEN_SETTINGS, type TokenSettings } from './token-settings';
import { jwtOptions, Tokens } from './tokens';

/** Tokens, and the keys that verify them. */
@Module({})
export class TokensModule {
  static forRoot(settings: TokenSettings): DynamicModule {
    return {
      module: TokensModule,
      global: true,
      imports: [
        JwtModule.registerAsync({
          inject: [TokenKeys],
          useFactory: (keys: TokenKeys) => jwtOptions(keys, settings),
        }),
      ],
      controllers: [JwksController],
      providers: [
        Tokens,
        { provide: TOKEN_SETTINGS, useValue: settings },
        {
          provide: TokenKeys,
          inject: [Platform],
          useFactory: async (platform: Platform) => {
            const keys = await TokenKeys.open(settings.keys, platform.logger);
            platform.onClose(() => {
              keys.close();
            });
            return keys;
          },
        },
      ],
      exports: [Tokens, TokenKeys],
    };
  }
}
