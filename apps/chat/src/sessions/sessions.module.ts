import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LOGGER, type Logger } from '@waggle/service';
import { SESSION_SETTINGS, type SessionSettings } from './session-settings';
import { RealtimeModule } from '../realtime/realtime.module';
import { DeliveryModule } from '../delivery/delivery.module';
import { AccessGuard } from './access.guard';
import { AuthenticationExpiry } from './authentication-expiry';
import { ConnectionAccounts } from './connection-accounts';
import { LoginService } from './login.service';
import { Revocations } from './revocations';
import { SessionCookies } from './session-cookies';
import { SessionEntity } from './session.entity';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { SessionsStore } from './sessions.store';
import { SocketAuthentication } from './socket-authentication';
import { tokenKey } from './token-key';
import { jwtOptions, Tokens } from './tokens';

/** Log-in by signature, tokens, log-out, and the authentication of connections. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SessionEntity]),
    JwtModule.registerAsync({
      inject: [SESSION_SETTINGS, LOGGER],
      useFactory: ({ tokens }: SessionSettings, logger: Logger) => jwtOptions(tokenKey(tokens.privateKeyPem, logger)),
    }),
    RealtimeModule,
    DeliveryModule,
  ],
  controllers: [SessionsController],
  providers: [
    AccessGuard,
    AuthenticationExpiry,
    ConnectionAccounts,
    LoginService,
    Revocations,
    SessionCookies,
    SessionsService,
    SessionsStore,
    SocketAuthentication,
    Tokens,
  ],
  exports: [AccessGuard, LoginService, SessionsService],
})
export class SessionsModule {}
