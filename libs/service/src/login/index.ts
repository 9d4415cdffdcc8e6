// Must be first: the SDK instruments modules that are loaded after it.
import '../tracing/tracing';

export { LoginLimits, type LoginLimitSettings } from './login-limits';
export { sharedLimiter } from './shared-limiter';
export { SHARED_REDIS, type SharedRedis } from './shared-redis';
export {
  type SignatureLoginConfig,
  signatureLoginDependencies,
  signatureLoginOf,
  signatureLoginVariables,
} from './signature-login';
export { SignatureLoginModule } from './signature-login.module';
