import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { VIDEO_AUTH_CONFIG, type VideoAuthConfig } from '../config';
import { JwksController } from './jwks.controller';
import { TokenKeys } from './token-keys';
import { jwtOptions, Tokens } from './tokens';

/** Tokens, and the keys by which they are verified. */
@Module({
  imports: [
    JwtModule.registerAsync({
      inject: [TokenKeys, VIDEO_AUTH_CONFIG],
      useFactory: (keys: TokenKeys, { tokens }: VideoAuthConfig) => jwtOptions(keys, tokens),
    }),
  ],
  controllers: [JwksController],
  providers: [Tokens],
  exports: [Tokens],
})
export class TokensModule {}
