import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject } from '@nestjs/swagger';
import { openApiDocument, type ApiDescription } from './api-description';
import { runMain } from '../startup/run-main';
import { descriptionText } from './description-text';

/** Generates the OpenAPI document of a module without instantiating its providers, so without a database. */
export async function generateOpenApi(module: DynamicModule, description: ApiDescription): Promise<OpenAPIObject> {
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  try {
    return openApiDocument(app, description);
  } finally {
    await app.close();
  }
}

/** Runs the command that writes the API descriptions of a service: `node dist/describe.main.js <folder>`. */
export function runDescribe(describe: () => Promise<Record<string, object>>): void {
  runMain(async () => {
    const [, , folder] = process.argv;
    if (folder === undefined) throw new Error('usage: describe.main.js <folder>');
    await mkdir(folder, { recursive: true });
    for (const [name, document] of Object.entries(await describe())) {
      await writeFile(path.join(folder, name), descriptionText(document));
      console.log(`wrote ${path.join(folder, name)}`);
    }
  });
}
