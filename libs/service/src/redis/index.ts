export { connectRedis, type RedisClient } from './connection';
export { pingRedis } from './ping';
export { redisDependency } from './redis-dependency';
