import { createLogger, Platform } from '@waggle/service';
import { generateOpenApi } from '@waggle/service/api-description';
import { asyncApiDocument } from './api-description/asyncapi';
import { chatDescription } from './api-description/chat-description';
import { AppModule } from './app.module';
import { clientFrameDefinitions } from './client-frames';
import { readConfig } from './config';

/** Required settings; nothing connects to them. */
const environment = { DATABASE_URL: 'postgres://localhost/none', HIVE_API_NODES: 'http://localhost' };

/** Generates the API descriptions, by the names of their files, without a database. */
export async function generateDescriptions(): Promise<Record<string, object>> {
  const config = readConfig(environment);
  const platform = new Platform('chat', config.http, createLogger('chat', 'silent'));
  const module = AppModule.forRoot(config, platform);
  return {
    'chat.openapi.json': await generateOpenApi(module, chatDescription(clientFrameDefinitions)),
    'chat.asyncapi.json': asyncApiDocument(clientFrameDefinitions),
  };
}
