import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { HiveClient } from '@waggle/chain';
import { createLogger, createMetrics, openApiDocument, Readiness } from '@waggle/service';
import { createPlatform } from '../app';
import { AppModule } from '../app.module';
import { readConfig } from '../config';
import { asyncApiDocument } from './asyncapi';
import { chatDescription } from './chat-description';

/** Settings that must be there; nothing is connected to them. */
const environment = { DATABASE_URL: 'postgres://localhost/none', HIVE_API_NODES: 'http://localhost' };

/** The descriptions of the chat's interface by the names of their files, without a database or anything else running. */
export async function previewDescriptions(): Promise<Record<string, object>> {
  const config = readConfig(environment);
  const logger = createLogger('chat', 'silent');
  const hive = new HiveClient({ urls: config.hive.nodes });
  const operations = { readiness: new Readiness([]), metrics: createMetrics() };
  const module = AppModule.forRoot(createPlatform(config, logger, hive), operations);
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  try {
    return {
      'chat.openapi.json': openApiDocument(app, chatDescription()),
      'chat.asyncapi.json': asyncApiDocument(),
    };
  } finally {
    await app.close();
    await hive.close();
  }
}

/** As committed: keys in alphabetical order, so that only what changes differs. */
export function toFileText(document: object): string {
  return `${JSON.stringify(document, inOrder, 2)}\n`;
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
