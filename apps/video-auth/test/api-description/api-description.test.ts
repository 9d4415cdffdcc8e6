import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { videoAuthErrorBody } from '@waggle/contracts';
import { createLogger, descriptionText, type Service } from '@waggle/service';
import { type TestDatabase } from '@waggle/testing';
import { z } from 'zod';
import { generateDescriptions } from '../../src/generate-descriptions';
import { createVideoAuth } from '../../src/app';
import { readConfig } from '../../src/config';
import { errorOf } from '../support/video-auth-client';
import { freshDatabase } from '../support/video-auth-under-test';

const name = 'video-auth.openapi.json';
/** Served without `@RespondsWith`: for the platform, and the description itself. */
const undescribed = /^(\/|\/api\/v1\/docs(\/.*)?|\/health\/(live|ready)|\/metrics)$/;

const openApi = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        summary: z.string().min(1),
        security: z.array(z.unknown()),
        responses: z.record(z.string(), z.looseObject({})),
      }),
    ),
  ),
  components: z.looseObject({
    schemas: z.record(z.string(), z.looseObject({ examples: z.array(z.unknown()).optional() })),
  }),
});

describe('the description of the video log-in', () => {
  let database: TestDatabase;
  let service: Service;
  let url: string;
  const served: string[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    const config = readConfig({ DATABASE_URL: database.url, HIVE_API_NODES: 'http://127.0.0.1:1' });
    service = await createVideoAuth(config, createLogger('video-auth', 'silent'));
    service.app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRoute', ({ method, url }) => {
        for (const each of [method].flat()) served.push(`${each} ${url}`);
      });
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    url = await service.app.getUrl();
  });
  afterAll(async () => {
    try {
      await service.app.close();
    } finally {
      await database.drop();
    }
  });

  const servedDocument = async () => openApi.parse(await (await fetch(`${url}/api/v1/docs/json`)).json());
  const operations = async () =>
    Object.entries((await servedDocument()).paths).flatMap(([pattern, methods]) =>
      Object.entries(methods).map(([method, each]) => ({ ...each, pattern, method: method.toUpperCase() })),
    );

  it(`is committed as docs/api/${name} (otherwise run \`npx nx run video-auth:describe\`)`, async () => {
    const { [name]: document = {} } = await generateDescriptions();
    expect(await readFile(path.join(__dirname, '../../../../docs/api', name), 'utf8')).toBe(descriptionText(document));
  });

  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(await servedDocument())).toEqual({ valid: true });
  });

  it('is served as a public page at /api/v1/docs, which loads nothing from other origins', async () => {
    const page = await fetch(`${url}/api/v1/docs`);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(await page.text()).not.toMatch(/(src|href)="https?:/);
  });

  it.each(['GET', 'HEAD'])('is where %s / leads', async (method) => {
    const response = await fetch(`${url}/`, { method, redirect: 'manual' });
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/api/v1/docs']);
  });

  it('has every endpoint that is served, and no other', async () => {
    const described = (await operations()).map(({ method, pattern }) => `${method} ${pattern}`);
    const toDescribe = served
      .filter((route) => !undescribed.test(route.split(' ')[1] ?? '') && !/^(HEAD|OPTIONS) /.test(route))
      .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
    expect(described.toSorted()).toEqual([...new Set(toDescribe)].toSorted());
  });

  it('states which endpoints require a token', async () => {
    for (const { method, pattern, security } of await operations()) {
      const { status } = await fetch(`${url}${pattern.replace('{id}', 'x')}`, { method });
      // A log-in without a body is invalid; the keys are public.
      const without = method === 'GET' ? 200 : 400;
      expect([method, pattern, status]).toEqual([method, pattern, security.length > 0 ? 401 : without]);
    }
  });

  it.each([
    [413, 'is too large', 'application/json', JSON.stringify('x'.repeat(65 * 1024))],
    [415, 'is XML', 'application/xml', '<name/>'],
    [415, 'is text', 'text/plain', '{}'],
    [415, 'is a form', 'application/x-www-form-urlencoded', 'username=alice'],
    [400, 'is not JSON', 'application/json', '{'],
  ])('has the status %d for a body that %s, also for endpoints that need none', async (status, _what, type, body) => {
    for (const { method, pattern, responses } of await operations()) {
      if (method === 'GET') continue;
      const response = await fetch(`${url}${pattern}`, { method, headers: { 'Content-Type': type }, body });
      const { statusCode, code } = await errorOf(response);
      expect([method, pattern, statusCode]).toEqual([method, pattern, status]);
      expect(JSON.stringify(responses[statusCode])).toContain(`"${code}"`);
    }
  });

  it('has an example of an error that fits its schema', async () => {
    const { schemas } = (await servedDocument()).components;
    const [example] = schemas['Error']?.examples ?? [];
    expect(videoAuthErrorBody.parse(example)).toEqual(example);
  });
});
