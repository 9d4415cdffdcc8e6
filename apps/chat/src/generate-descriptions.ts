import { HiveClient } from '@waggle/chain';
import { createLogger, createMetrics, Readiness } from '@waggle/service';
import { generateOpenApi } from '@waggle/service/api-description';
import { AppModule } from './app.module';
import { readConfig } from './config';
import { clientFrameDefinitions } from './client-frames';
import { createPlatform } from './platform.module';
import { asyncApiDocument } from './api-description/asyncapi';
import { chatDescription } from './api-description/chat-description';

/** Required settings; no connections are opened. */
const environment = { DATABASE_URL: 'postgres://localhost/none', HIVE_API_NODES: 'http://localhost' };

/** Generates the API descriptions, by file name, without a database or other servers. */
export async function generateDescriptions(): Promise<Record<string, object>> {
  const config = readConfig(environment);
  const hive = new HiveClient({ urls: config.hive.nodes });
  const metrics = createMetrics();
  const platform = createPlatform(config, { logger: createLogger('chat', 'silent'), metrics, hive });
  const operations = { readiness: new Readiness([]), metrics };
  try {
    return {
      'chat.openapi.json': await generateOpenApi(
        AppModule.forRoot(platform, operations),
        chatDescription(clientFrameDefinitions),
      ),
      'chat.asyncapi.json': asyncApiDocument(clientFrameDefinitions),
    };
  } finally {
    await hive.close();
  }
}
