import { HiveClient } from '@waggle/chain';
import { createLogger, createMetrics, Readiness } from '@waggle/service';
import { generateOpenApi } from '@waggle/service/api-description';
import { AppModule } from './app.module';
import { readConfig } from './config';
import { createPlatform } from './platform.module';
import { TokenKeys } from './tokens/token-keys';
import { videoAuthDescription } from './api-description/video-auth-description';

/** Required settings; nothing connects to them. */
const environment = { DATABASE_URL: 'postgres://localhost/none', HIVE_API_NODES: 'http://localhost' };

/** Generates the API descriptions, by the names of their files, without a database. */
export async function generateDescriptions(): Promise<Record<string, object>> {
  const config = readConfig(environment);
  const logger = createLogger('video-auth', 'silent');
  const hive = new HiveClient({ urls: config.hive.nodes });
  const metrics = createMetrics();
  const tokenKeys = TokenKeys.ephemeral(logger);
  const platform = createPlatform(config, { logger, metrics, hive, tokenKeys, redis: undefined });
  const operations = { readiness: new Readiness([]), metrics };
  try {
    return {
      'video-auth.openapi.json': await generateOpenApi(AppModule.forRoot(platform, operations), videoAuthDescription()),
    };
  } finally {
    await hive.close();
  }
}
