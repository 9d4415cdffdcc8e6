import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LOGGER, type Logger } from '@waggle/service';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { RealtimeModule } from '../realtime/realtime.module';
import { StreamsModule } from '../streams/streams.module';
import { AccessGuard } from './access.guard';
import { AuthenticationExpiry } from './authentication-expiry';
import { LoginProof } from './login-proof';
import { Revocations } from './revocations';
import { SessionCookies } from './session-cookies';
import { SessionEntity } from './session.entity';
import { SessionsController } from './sessions.controller';
import { SessionsFrames } from './sessions.frames';
import { SessionsService } from './sessions.service';
import { SessionsStore } from './sessions.store';
import { tokenKey } from './token-key';
import { jwtOptions, Tokens } from './tokens';

/** Log-in by signature, tokens, log-out, and who a connection is. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SessionEntity]),
    JwtModule.registerAsync({
      inject: [CHAT_CONFIG, LOGGER],
      useFactory: ({ tokens }: ChatConfig, logger: Logger) => jwtOptions(tokenKey(tokens.privateKeyPem, logger)),
    }),
    RealtimeModule,
    StreamsModule,
  ],
  controllers: [SessionsController],
  providers: [
    AccessGuard,
    AuthenticationExpiry,
    LoginProof,
    Revocations,
    SessionCookies,
    SessionsFrames,
    SessionsService,
    SessionsStore,
    Tokens,
  ],
  exports: [AccessGuard, SessionsService],
})
export class SessionsModule {}
