import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import asyncApi from '@asyncapi/specs';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  conversation,
  friendRequest,
  loginSession,
  message,
  renewedSession,
  restError,
  richMessage,
  serverFrames,
  unreadMessage,
} from '@waggle/contracts';
import { createLogger, descriptionText, type Service } from '@waggle/service';
import { type TestDatabase } from '@waggle/testing';
import { fastify } from 'fastify';
import { z } from 'zod';
import { generateDescriptions } from '../../src/generate-descriptions';
import { createChat } from '../../src/app';
import { readConfig } from '../../src/config';
import { errorOf } from '../support/chat-client';
import { freshDatabase } from '../support/chat-under-test';
import { parseByContract } from '../support/contract';
import { interfaceTables } from '../support/interface-rows';

/** Served without `@RespondsWith`: for platforms, and the description itself. */
const undescribed = /^(\/|\/docs(\/.*)?|\/health\/(live|ready)|\/metrics)$/;

const operation = z.looseObject({
  summary: z.string().min(1),
  security: z.array(z.unknown()),
  parameters: z.array(z.looseObject({ name: z.string(), description: z.string().min(1), schema: z.unknown() })),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.looseObject({ headers: z.record(z.string(), z.unknown()).optional() })),
});
/** A schema, with an example as OpenAPI 3.0 writes it, or as JSON Schema does. */
const component = z.looseObject({ example: z.unknown().optional(), examples: z.array(z.unknown()).optional() });
const exampleOf = (schema?: z.infer<typeof component>) => schema?.example ?? schema?.examples?.[0];
const openApi = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), component) }),
});

const reference = z.object({ $ref: z.string() }).transform(({ $ref }) => $ref.split('/').at(-1));
const asyncApiFrames = z.looseObject({
  operations: z.record(
    z.string(),
    z.looseObject({ reply: z.looseObject({ messages: z.array(reference) }).optional() }),
  ),
  components: z.looseObject({
    messages: z.record(
      z.string(),
      z.looseObject({
        payload: z.looseObject({ properties: z.looseObject({ payload: z.looseObject({}) }) }),
        examples: z.array(z.object({ payload: z.looseObject({ payload: z.unknown() }) })).optional(),
        'x-origins': z.array(z.string()).optional(),
      }),
    ),
    schemas: z.record(z.string(), component),
  }),
});

describe('the API description', () => {
  let database: TestDatabase;
  let chat: Service;
  let url: string;
  let descriptions: Record<string, object>;
  const served: string[] = [];
  const get = (target: string) => fetch(`${url}${target}`);

  beforeAll(async () => {
    descriptions = await generateDescriptions();
    database = await freshDatabase();
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: database.url,
      HIVE_API_NODES: 'http://127.0.0.1:1',
      WEB_CLIENT: 'off',
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
      const { [name]: document = {} } = descriptions;
      expect(await readFile(path.join(__dirname, '../../../../docs/api', name), 'utf8')).toBe(
        descriptionText(document),
      );
    },
  );

  it('is valid OpenAPI 3.1, and describes every parameter', async () => {
    const document = openApi.parse(await (await get('/docs/json')).json());
    expect(await new Validator().validate(document)).toEqual({ valid: true });
    expect(Object.keys(document.paths).length).toBeGreaterThan(0);
  });

  it('is valid AsyncAPI 3.0', async () => {
    const document: unknown = await (await get('/docs/asyncapi.json')).json();
    const [faults, faultsWithoutInfo] = await errorsOf(asyncApi.schemasWithoutId['3.0.0'], [
      document,
      { asyncapi: '3.0.0' },
    ]);
    expect(faults).toBeUndefined();
    expect(faultsWithoutInfo).toContain("must have required property 'info'");
    const references = Array.from(
      JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g),
      ([, target]) => target ?? '',
    );
    expect(references.length).toBeGreaterThan(0);
    for (const target of references) expect([target, resolve(document, target)]).toEqual([target, expect.any(Object)]);
  });

  it('lists exactly the endpoints that are served', async () => {
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

  it('documents which endpoints need credentials', async () => {
    const { paths } = openApi.parse(descriptions['chat.openapi.json']);
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        // A log-in without a query is rejected for the query.
        const response = await fetch(`${url}${path}`, { method: method.toUpperCase() });
        expect([method, path, response.status]).toEqual([method, path, security.length > 0 ? 401 : 400]);
      }
    }
  });

  const described = () => {
    const { paths, components } = openApi.parse(descriptions['chat.openapi.json']);
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => ({ ...each, path, method: method.toUpperCase() })),
    );
    return { operations, schemas: components.schemas };
  };
  const describedFrames = () => asyncApiFrames.parse(descriptions['chat.asyncapi.json']);

  it('documents the errors for bodies that are too large or of an unsupported type', async () => {
    const withBody = described().operations.filter(({ requestBody }) => requestBody !== undefined);
    expect(withBody.length).toBeGreaterThan(0);
    for (const { path, method, responses } of withBody) {
      const post = (type: string, body: string) =>
        fetch(`${url}${path}`, { method, headers: { 'Content-Type': type }, body });
      const tooLarge = await errorOf(await post('application/json', JSON.stringify('x'.repeat(65 * 1024))));
      const unread = await errorOf(await post('application/xml', '<name>Bees</name>'));
      expect([tooLarge, unread]).toMatchObject([{ statusCode: 413 }, { statusCode: 415 }]);
      for (const { statusCode, code } of [tooLarge, unread]) {
        expect(JSON.stringify(responses[statusCode])).toContain(`"enum":["${code}"]`);
      }
    }
  });

  it('documents which responses set cookies', async () => {
    const setting = described().operations.filter(({ responses }) =>
      Object.entries(responses).some(([status, { headers = {} }]) => status.startsWith('2') && 'Set-Cookie' in headers),
    );
    expect(setting.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /users/login',
      'GET /users/logout',
      'GET /users/refresh-token',
      'GET /users/verify',
    ]);
    expect((await get('/users/logout')).headers.getSetCookie()).toHaveLength(2);
  });

  it('documents the bounds and defaults of numbers', () => {
    const { operations } = described();
    const schemaOf = (path: string, name: string) =>
      operations.find((each) => each.path === path)?.parameters.find((each) => each.name === name)?.schema;
    expect(schemaOf('/users/login', 'ts')).toMatchObject({ type: 'integer', format: 'int64' });
    expect(schemaOf('/messages/chats', 'before')).toMatchObject({
      anyOf: [{ type: 'integer', format: 'int64' }, { format: 'date-time' }],
    });
    expect(schemaOf('/messages/chats', 'limit')).toMatchObject({ type: 'integer', minimum: 1, default: 50 });
  });

  it('has examples that match the contract', () => {
    const { schemas } = described();
    const { components } = describedFrames();
    const examples: [z.ZodType, unknown][] = [
      [loginSession, exampleOf(schemas['LoginSession'])],
      [renewedSession, exampleOf(schemas['RenewedSession'])],
      [friendRequest, exampleOf(schemas['FriendRequest'])],
      [unreadMessage, exampleOf(schemas['UnreadMessage'])],
      [restError, exampleOf(schemas['Error'])],
      [serverFrames.error, components.messages['server.error']?.examples?.[0]?.payload.payload],
      ...[schemas, components.schemas].flatMap((each): [z.ZodType, unknown][] => [
        [conversation, exampleOf(each['Conversation'])],
      ]),
      [message, exampleOf(schemas['Message'])],
      [richMessage, exampleOf(components.schemas['RichMessage'])],
    ];
    for (const [schema, example] of examples) parseByContract(schema, example, 'an example');
  });

  it('distinguishes the replies to a frame from the events of other accounts', () => {
    const { operations, components } = describedFrames();
    const repliesTo = (type: string) => operations[`receive-${type}`]?.reply?.messages;
    const causesOf = (type: string) => components.messages[`server.${type}`]?.['x-origins'];
    expect(repliesTo('leave-conversation')).toEqual(['server.conversation-removed', 'server.error']);
    expect(repliesTo('remove-member')).toEqual(['server.member-removed', 'server.error']);
    expect(repliesTo('block-user')).toEqual([
      'server.user-blocked',
      'server.friendship-removed',
      'server.friendship-rejected',
      'server.error',
    ]);
    expect(causesOf('member-left')).toEqual(['leave-conversation']);
    expect(causesOf('conversation-removed')).toEqual(['leave-conversation', 'remove-member']);
    expect(causesOf('friendship-removed')).toEqual(['remove-friendship', 'block-user']);
    expect(causesOf('reauthentication-required')).toEqual([]);
  });

  it.each([
    ['a conversation', { conversation_id: '01J', message: 'hello' }, true],
    ['an account', { to: 'bob', message: 'hello' }, true],
    ['neither', { message: 'hello' }, false],
    ['nobody', { to: null, message: 'hello' }, false],
  ])('knows what a chat-message to %s is', async (_whom, payload, isRight) => {
    const { components } = describedFrames();
    const schema = components.messages['client.chat-message']?.payload.properties.payload ?? {};
    const [faults] = await errorsOf(schema, [payload]);
    expect(faults === undefined).toBe(isRight);
  });

  it('is a public page at /docs that loads nothing from other origins', async () => {
    const page = await get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toContain('text/html');
    expect(page.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    const html = await page.text();
    expect(html).toContain('Waggle chat');
    expect(html).not.toMatch(/(src|href)=["'](https?:)?\/\//);
  });

  it.each(['GET', 'HEAD'])('is where %s / leads without the web client', async (method) => {
    const response = await fetch(`${url}/`, { method, redirect: 'manual' });
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/docs']);
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'self'");
  });
});

it('the chat has a test for every row of its interface', () => {
  const folder = path.join(__dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  const sources = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n');
  const rowArguments = [...sources.matchAll(/\brow\(\s*(\[[^\]]*\]|'[^']*')/g)].map(([, ids = '']) => ids).join('\n');
  const rows = Object.values(interfaceTables).flatMap((table) => Object.keys(table));
  expect(rows.length).toBeGreaterThan(80);
  expect(rows.filter((row) => !rowArguments.includes(`'${row}'`))).toEqual([]);
});

/**
 * Returns the errors of each value by a JSON Schema (draft 07) according to Fastify's validator; undefined if valid.
 */
async function errorsOf(schema: object, values: readonly unknown[]): Promise<(string | undefined)[]> {
  const validator = fastify({
    bodyLimit: 16 * 1024 * 1024,
    // Fastify would coerce the values that it validates.
    ajv: { customOptions: { removeAdditional: false, useDefaults: false, coerceTypes: false, strict: false } },
  });
  validator.post('/', { schema: { body: schema } }, () => 'valid');
  try {
    const faults: (string | undefined)[] = [];
    for (const value of values) {
      const response = await validator.inject({
        method: 'POST',
        url: '/',
        payload: JSON.stringify(value),
        headers: { 'content-type': 'application/json' },
      });
      faults.push(response.statusCode === 200 ? undefined : response.body);
    }
    return faults;
  } finally {
    await validator.close();
  }
}

/** Returns the target of a `$ref` within a document. */
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
