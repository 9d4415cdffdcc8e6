import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createMetrics, Readiness } from '@waggle/service';
import { openApiDocument } from '@waggle/service/api-description';
import { AppModule } from '../app.module';
import { readApiConfig } from '../config';
import { delegationDescription } from './delegation-description';

/** Settings that must be there; nothing is connected to them. */
const environment = { DATABASE_URL: 'postgres://localhost/none' };

/** The description of the interface by the name of its file, without a database or anything else running. */
export async function previewDescriptions(): Promise<Record<string, object>> {
  const operations = { readiness: new Readiness([]), metrics: createMetrics() };
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(readApiConfig(environment), operations),
    new FastifyAdapter(),
    { preview: true, logger: false, abortOnError: false },
  );
  try {
    return { 'delegation.openapi.json': openApiDocument(app, delegationDescription) };
  } finally {
    await app.close();
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
