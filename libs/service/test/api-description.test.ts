import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { z } from 'zod';
import { createApplication, createLogger, createMetrics } from '../src';
import { responseDecorator, describeApi, openApiDocument, type ApiDescription } from '../src/api-description';

const errors = { 'invalid-request': 400, unauthenticated: 401, taken: 409, gone: 409, unavailable: 503 };
const RespondsWith = responseDecorator({
  errors,
  commonErrors: ['unavailable'],
  unauthenticated: 'unauthenticated',
  credentials: ['token'],
});

const greeting = z.object({ name: z.string().meta({ description: 'Who is greeted' }) }).meta({ id: 'Greeting' });
const pageQuery = z.object({
  limit: z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .optional()
    .meta({ type: 'integer', description: 'Greetings at most' }),
});

@Controller('greetings')
class GreetingsController {
  @Get()
  @RespondsWith([greeting], { summary: 'All greetings', credentials: [] })
  list(@Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>) {
    return Array.from({ length: query.limit ?? 1 }, () => ({ name: 'alice' }));
  }

  @RespondsWith(greeting, { summary: 'Greets', errors: ['invalid-request', 'taken', 'gone'] })
  @Post()
  greet(@Body({ schema: greeting }) body: z.infer<typeof greeting>) {
    return body;
  }

  @Post('none')
  @RespondsWith(undefined, { summary: 'Nothing' })
  nothing() {
    return undefined;
  }

  @Get('secret')
  secret() {
    return 'described nowhere';
  }
}

@Module({ controllers: [GreetingsController] })
class GreetingsModule {}

/** How often the document was created. */
let created = 0;

const description: ApiDescription = {
  title: 'Greetings',
  description: 'Greets.',
  version: '1.0.0',
  path: '/api/v1/docs',
  error: z.object({ code: z.string(), message: z.string() }),
  securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  documents: { 'other.json': () => ({ created: (created += 1) }) },
};

describe('the documentation of an API', () => {
  let app: NestFastifyApplication;
  let url: string;
  const get = (path: string) => fetch(`${url}${path}`);

  beforeAll(async () => {
    app = await createApplication(GreetingsModule, {
      logger: createLogger('test', 'silent'),
      metrics: createMetrics(),
      restErrors: errors,
      corsOrigins: [],
      trustedProxies: [],
    });
    describeApi(app, description);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  it('has every method with @RespondsWith, and no other', () => {
    const { paths } = openApiDocument(app, description);
    expect(Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)])).toEqual([
      ['/greetings', ['get', 'post']],
      ['/greetings/none', ['post']],
    ]);
  });

  it('describes the response by status, in any order of the decorators', async () => {
    const { paths } = openApiDocument(app, description);
    expect(Object.keys(paths['/greetings']?.get?.responses ?? {})).toEqual(['200', '500', '503']);
    expect(Object.keys(paths['/greetings']?.post?.responses ?? {})).toEqual([
      ...['200', '400', '401', '409', '413', '415', '500', '503'],
    ]);
    // It needs no body, but parses one that is sent.
    expect(Object.keys(paths['/greetings/none']?.post?.responses ?? {})).toEqual([
      ...['204', '401', '413', '415', '500', '503'],
    ]);
    const body = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"bob"}' };
    expect((await fetch(`${url}/greetings`, body)).status).toBe(200);
    expect((await fetch(`${url}/greetings/none`, { method: 'POST' })).status).toBe(204);
  });

  it('has the schemas of query, body, response and errors', () => {
    const { paths, components } = openApiDocument(app, description);
    const { get, post } = paths['/greetings'] ?? {};
    expect(get?.parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'Greetings at most',
        schema: { type: 'integer', description: 'Greetings at most' },
      },
    ]);
    const reference = { $ref: '#/components/schemas/Greeting' };
    const json = (schema: object) => ({ 'application/json': { schema } });
    expect(get?.responses['200']).toMatchObject({ content: json({ type: 'array', items: reference }) });
    expect(post?.requestBody).toMatchObject({ required: true, content: json(reference) });
    expect(post?.responses['200']).toMatchObject({ content: json(reference) });
    expect(post?.responses['409']).toMatchObject({
      description: 'Conflict: `taken`, `gone`',
      content: json({
        allOf: [
          { $ref: '#/components/schemas/Error' },
          { type: 'object', properties: { code: { type: 'string', enum: ['taken', 'gone'] } } },
        ],
      }),
    });
    expect(Object.keys(components?.schemas ?? {})).toEqual(['Greeting', 'Error']);
  });

  it('states which credentials are required, and which endpoints need none', () => {
    const { paths, components } = openApiDocument(app, description);
    expect(paths['/greetings']?.post?.security).toEqual([{ token: [] }]);
    expect(paths['/greetings']?.get?.security).toEqual([]);
    expect(components?.securitySchemes).toEqual(description.securitySchemes);
  });

  it.each(['/api/v1/docs', '/api/v1/docs/'])('is a page at %s, whose files are all from the service', async (path) => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toContain('text/html');
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    // Otherwise browsers would request the files of a service without TLS over TLS.
    expect(policy).not.toContain('upgrade-insecure-requests');
    const html = await page.text();
    const files = Array.from(html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g), ([, file]) => file ?? '');
    expect(files).toEqual(expect.arrayContaining([expect.stringMatching(/swagger-ui-bundle\.js$/)]));
    for (const file of files) {
      const target = new URL(file, `${url}${path}`);
      expect(target.origin).toBe(url);
      const response = await fetch(target);
      expect([file, response.status]).toEqual([file, 200]);
      // Large: while it is not read the connection is busy, and the service does not end.
      await response.arrayBuffer();
    }
    // The policy forbids scripts within the page.
    expect(html).not.toMatch(/<script(?![^>]* src=)/);
  });

  it('uses no validator of another origin', async () => {
    expect(await (await get('/api/v1/docs/swagger-ui-init.js')).text()).toContain('"validatorUrl": null');
  });

  it('is served as JSON, and so are other documents, which are created once', async () => {
    expect(await (await get('/api/v1/docs/json')).json()).toEqual(
      JSON.parse(JSON.stringify(openApiDocument(app, description))),
    );
    for (let time = 0; time < 2; time += 1) {
      const other = await get('/api/v1/docs/other.json');
      expect([other.headers.get('content-type'), await other.json()]).toEqual([
        'application/json; charset=utf-8',
        { created: 1 },
      ]);
    }
  });

  it('does not change the policy of other paths', async () => {
    expect((await get('/greetings')).headers.get('Content-Security-Policy')).toContain("default-src 'self'");
    expect((await get('/api/v1/docs-of-others')).status).toBe(404);
    expect((await get('/api/v1/docs/nothing')).status).toBe(404);
  });
});
