import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import asyncApi from '@asyncapi/specs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { restError } from '@waggle/contracts';
import { createLogger } from '@waggle/service';
import { type TestDatabase } from '@waggle/testing';
import { fastify } from 'fastify';
import { z } from 'zod';
import { previewDescriptions, toFileText } from '../src/api-description/preview';
import { createChat, type Chat } from '../src/app';
import { readConfig } from '../src/config';
import { freshDatabase } from './chat-under-test';

/** Served without `@Answers`: for platforms, and the description itself. */
const undescribed = /^(\/docs(\/.*)?|\/health\/(live|ready)|\/metrics)$/;

const operation = z.looseObject({
  summary: z.string().min(1),
  security: z.array(z.unknown()),
  parameters: z.array(z.looseObject({ name: z.string(), description: z.string().min(1) })),
});
const openApi = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

describe('the description of the chat', () => {
  let database: TestDatabase;
  let chat: Chat;
  let url: string;
  const served: string[] = [];
  const get = (target: string) => fetch(`${url}${target}`);

  beforeAll(async () => {
    database = await freshDatabase();
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: database.url,
      HIVE_API_NODES: 'http://127.0.0.1:1',
    });
    chat = await createChat(config, createLogger('chat', 'silent'));
    chat.app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRoute', ({ method, url }) => {
        for (const each of [method].flat()) served.push(`${each} ${url}`);
      });
    await chat.app.listen({ host: config.http.host, port: 0 });
    url = await chat.app.getUrl();
  });
  afterAll(async () => {
    try {
      await chat.app.close();
    } finally {
      await database.drop();
    }
  });

  it.each(['chat.openapi.json', 'chat.asyncapi.json'])(
    'is committed as docs/api/%s (else run `npx nx run chat:describe`)',
    async (name) => {
      const { [name]: document = {} } = await previewDescriptions();
      expect(await readFile(path.join(__dirname, '../../../docs/api', name), 'utf8')).toBe(toFileText(document));
    },
  );

  it('is valid OpenAPI 3.1, and says of every parameter what it is', async () => {
    const document = openApi.parse(await (await get('/docs/json')).json());
    expect(await new Validator().validate(document)).toEqual({ valid: true });
    expect(Object.keys(document.paths).length).toBeGreaterThan(0);
  });

  it('is valid AsyncAPI 3.0', async () => {
    const document: unknown = await (await get('/docs/asyncapi.json')).json();
    expect(await faultsOf(document, asyncApi.schemasWithoutId['3.0.0'])).toBeUndefined();
    expect(await faultsOf({ asyncapi: '3.0.0' }, asyncApi.schemasWithoutId['3.0.0'])).toContain(
      "must have required property 'info'",
    );
    for (const [, target = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
      expect([target, resolve(document, target)]).toEqual([target, expect.any(Object)]);
    }
  });

  it('has every endpoint that is served, and no other', async () => {
    const { paths } = openApi.parse(await (await get('/docs/json')).json());
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const toDescribe = served.filter((route) => !undescribed.test(route.split(' ')[1] ?? ''));
    expect(described.toSorted()).toEqual(
      [...new Set(toDescribe)].filter((route) => !/^(HEAD|OPTIONS) /.test(route)).toSorted(),
    );
    for (const route of described) {
      const [method = '', path = ''] = route.split(' ');
      expect([route, (await fetch(`${url}${path}`, { method })).status]).not.toEqual([route, 404]);
    }
  });

  it('says truly where credentials are needed', async () => {
    const { paths } = openApi.parse((await previewDescriptions())['chat.openapi.json']);
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        // A log-in without a query is refused for the query.
        const response = await fetch(`${url}${path}`, { method: method.toUpperCase() });
        expect([method, path, response.status]).toEqual([method, path, security.length > 0 ? 401 : 400]);
      }
    }
  });

  it('is a page at /docs for anybody, which loads nothing from elsewhere', async () => {
    const page = await get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toContain('text/html');
    expect(page.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    const html = await page.text();
    expect(html).toContain('Waggle chat');
    expect(html).not.toMatch(/(src|href)=["'](https?:)?\/\//);
  });

  it('changes nothing at /', async () => {
    const answer = await get('/');
    expect(answer.status).toBe(404);
    expect(restError.parse(await answer.json()).code).toBe('not-found');
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'self'");
  });
});

describe('the table of rows and their tests', () => {
  it('is committed as docs/api/coverage.md and lacks no test (else run `npx nx run chat:coverage`)', async () => {
    const check = promisify(execFile)(process.execPath, [path.join(__dirname, 'coverage.cjs'), '--check']);
    await expect(check).resolves.toEqual({ stdout: '', stderr: '' });
  });
});

/** What a JSON Schema (draft 07) has against a value, as Fastify's validator says; undefined where nothing. */
async function faultsOf(value: unknown, schema: object): Promise<string | undefined> {
  const validator = fastify({
    bodyLimit: 16 * 1024 * 1024,
    // Fastify would bend what it validates into shape.
    ajv: { customOptions: { removeAdditional: false, useDefaults: false, coerceTypes: false, strict: false } },
  });
  validator.post('/', { schema: { body: schema } }, () => 'valid');
  try {
    const answer = await validator.inject({
      method: 'POST',
      url: '/',
      payload: JSON.stringify(value),
      headers: { 'content-type': 'application/json' },
    });
    return answer.statusCode === 200 ? undefined : answer.body;
  } finally {
    await validator.close();
  }
}

/** What a `$ref` within a document leads to. */
function resolve(document: unknown, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce(
      (value: unknown, key) =>
        typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(key) : undefined,
      document,
    );
}
