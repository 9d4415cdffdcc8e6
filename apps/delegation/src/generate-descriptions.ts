import { createLogger, Platform } from '@waggle/service';
import { generateOpenApi } from '@waggle/service/api-description';
import { delegationDescription } from './api-description/delegation-description';
import { AppModule } from './app.module';
import { readApiConfig } from './config';

/** Required settings; nothing connects to them. */
const environment = { DATABASE_URL: 'postgres://localhost/none' };

/** Generates the API descriptions, by the names of their files, without a database. */
export async function generateDescriptions(): Promise<Record<string, object>> {
  const config = readApiConfig(environment);
  const platform = new Platform('delegation', config.http, createLogger('delegation', 'silent'));
  return {
    'delegation.openapi.json': await generateOpenApi(AppModule.forRoot(config, platform), delegationDescription),
  };
}
