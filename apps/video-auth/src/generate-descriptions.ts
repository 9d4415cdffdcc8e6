import { createLogger, Platform } from '@waggle/service';
import { generateOpenApi } from '@waggle/service/api-description';
import { videoAuthDescription } from './api-description/video-auth-description';
import { AppModule } from './app.module';
import { readConfig } from './config';

/** Required settings; nothing connects to them. */
const environment = { DATABASE_URL: 'postgres://localhost/none', HIVE_API_NODES: 'http://localhost' };

/** Generates the API descriptions, by the names of their files, without a database. */
export async function generateDescriptions(): Promise<Record<string, object>> {
  const config = readConfig(environment);
  const platform = new Platform('video-auth', config.http, createLogger('video-auth', 'silent'));
  return {
    'video-auth.openapi.json': await generateOpenApi(AppModule.forRoot(config, platform), videoAuthDescription()),
  };
}
