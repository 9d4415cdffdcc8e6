import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountSignatures, KeyChecks } from '@waggle/chain';
import { LOGGER, Registry, type Logger } from '@waggle/service';
import { observeKeyChecks } from '@waggle/service/chain';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { RealtimeModule } from '../realtime/realtime.module';
import { DeliveryModule } from '../delivery/delivery.module';
import { AccessGuard } from './access.guard';
import { AuthenticationExpiry } from './authentication-expiry';
import { ConnectionAccounts } from './connection-accounts';
import { loginRoles, LoginProof } from './login-proof';
import { LoginService } from './login.service';
import { Renewals } from './renewals';
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
      inject: [CHAT_CONFIG, LOGGER],
      useFactory: ({ tokens }: ChatConfig, logger: Logger) => jwtOptions(tokenKey(tokens.privateKeyPem, logger)),
    }),
    RealtimeModule,
    DeliveryModule,
  ],
  controllers: [SessionsController],
  providers: [
    AccessGuard,
    AuthenticationExpiry,
    ConnectionAccounts,
    LoginProof,
    LoginService,
    Renewals,
    Revocations,
    SessionCookies,
    SessionsService,
    SessionsStore,
    SocketAuthentication,
    Tokens,
    {
      provide: KeyChecks,
      inject: [AccountSignatures, CHAT_CONFIG, Registry, LOGGER],
      useFactory: (
        signatures: AccountSignatures,
        { keyChecks }: ChatConfig,
        metrics: Registry,
        logger: Logger,
      ): KeyChecks =>
        new KeyChecks(signatures, {
          roles: loginRoles,
          ...keyChecks,
          ...observeKeyChecks('chat_key_checks_total', metrics, logger),
        }),
    },
  ],
  exports: [AccessGuard, SessionsService],
})
export class SessionsModule {}
