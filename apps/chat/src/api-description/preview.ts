import { HiveClient } from '@waggle/chain';
import { createLogger, createMetrics, Readiness } from '@waggle/service';
import { previewOpenApi } from '@waggle/service/api-description';
import { createPlatform } from '../app';
import { AppModule } from '../app.module';
import { readConfig } from '../config';
import { frames } from '../frames';
import { asyncApiDocument } from './asyncapi';
import { chatDescription } from './chat-description';

/** Settings that must be there; nothing is connected to them. */
const environment = { DATABASE_URL: 'postgres://localhost/none', HIVE_API_NODES: 'http://localhost' };

/** The descriptions of the chat's interface by the names of their files, without a database or anything else running. */
export async function previewDescriptions(): Promise<Record<string, object>> {
  const config = readConfig(environment);
  const hive = new HiveClient({ urls: config.hive.nodes });
  const metrics = createMetrics();
  const platform = createPlatform(config, { logger: createLogger('chat', 'silent'), metrics, hive });
  const operations = { readiness: new Readiness([]), metrics };
  try {
    return {
      'chat.openapi.json': await previewOpenApi(AppModule.forRoot(platform, operations), chatDescription(frames)),
      'chat.asyncapi.json': asyncApiDocument(frames),
    };
  } finally {
    await hive.close();
  }
}
