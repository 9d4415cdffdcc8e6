import { readFile } from 'node:fs/promises';
import path from 'node:path';
import metaSchema from '@open-rpc/meta-schema';
import { Validator } from '@seriousme/openapi-schema-validator';
import { maxRpcBatch } from '@waggle/contracts';
import { descriptionText } from '@waggle/service';
import { z } from 'zod';
import { generateDescriptions } from '../../src/generate-descriptions';
import { openApiDocument } from '../../src/api-description/open-api';
import { openRpcDocument } from '../../src/local/open-rpc';
import { declarations } from '../../src/local/declarations';
import { GatewayUnderTest } from '../support/gateway-under-test';
import { createSources } from '../../src/local/declaration/sources';
import { ScriptedNode } from '../support/scripted-node';

const name = 'rpc-gateway.openrpc.json';

const schema = z.record(z.string(), z.unknown());
const reference = z.strictObject({ $ref: z.string().startsWith('#/components/') });
const rpcError = z.strictObject({ code: z.int(), message: z.string().min(1), data: z.unknown().optional() });
const descriptor = z.strictObject({
  name: z.string().min(1),
  summary: z.string().optional(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  schema,
});
const example = z.strictObject({ name: z.string(), value: z.unknown() });

/** The part of OpenRPC 1.3 that is used here: https://spec.open-rpc.org */
const openRpc = z.strictObject({
  openrpc: z.string().regex(/^1\.3\.\d+$/),
  info: z.strictObject({
    title: z.string().min(1),
    description: z.string().min(1),
    version: z.string().min(1),
    license: z.strictObject({ name: z.string() }),
  }),
  servers: z.array(z.strictObject({ name: z.string(), url: z.string(), summary: z.string() })).min(1),
  methods: z.array(
    z.strictObject({
      name: z.string().min(1),
      summary: z.string().min(1),
      paramStructure: z.enum(['by-name', 'by-position', 'either']),
      params: z.array(descriptor),
      result: descriptor,
      errors: z.array(z.union([rpcError, reference])),
      examples: z.array(z.strictObject({ name: z.string(), params: z.array(example), result: example })).min(1),
    }),
  ),
  components: z.strictObject({ schemas: z.record(z.string(), schema), errors: z.record(z.string(), rpcError) }),
});

const document = openRpc.parse(openRpcDocument());

const openApi = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) }))),
});

const operations = Object.entries(openApi.parse(openApiDocument()).paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, { responses }]) => ({
    method: method.toUpperCase(),
    path: url,
    statuses: Object.keys(responses),
  })),
);

/** Converts a schema of the document to zod. `z.int()` ends at 2^53, below the ids of notifications. */
const rule = (described: Record<string, unknown>) => {
  const text = JSON.stringify({ ...described, $defs: document.components.schemas })
    .replaceAll('#/components/schemas/', '#/$defs/')
    .replaceAll('"type":"integer"', '"type":"number","multipleOf":1');
  return z.fromJSONSchema(schema.parse(JSON.parse(text)));
};

/**
 * Converts OpenRPC's own schema to zod, without its references to JSON Schema. The specification allows relative URLs
 * of servers.
 */
const ofOpenRpc = () => {
  const text = JSON.stringify({ ...metaSchema, $schema: undefined })
    .replaceAll(/"\$ref":"https:[^"]*"/g, '"description":"elsewhere"')
    .replaceAll('"format":"uri"', '"description":"may be relative"');
  return z.fromJSONSchema({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema.parse(JSON.parse(text)) });
};

describe('the API description of the local methods', () => {
  it("conforms to OpenRPC's own schema", () => {
    const described = ofOpenRpc();
    expect(described.safeParse(openRpcDocument()).error).toBeUndefined();
    const [first, ...others] = document.methods;
    for (const bad of [
      { ...document, methods: undefined },
      { ...document, unknown: 1 },
      { ...document, methods: [{ ...first, params: {} }, ...others] },
      { ...document, methods: [{ ...first, paramStructure: 'any' }, ...others] },
    ])
      expect(described.safeParse(bad).success).toBe(false);
  });

  it.each([name, 'rpc-gateway.openapi.json'])(
    'is committed as docs/api/%s (otherwise run `npx nx run rpc-gateway:describe`)',
    async (file) => {
      const { [file]: described = {} } = await generateDescriptions();
      expect(await readFile(path.join(__dirname, '../../../../docs/api', file), 'utf8')).toBe(
        descriptionText(described),
      );
    },
  );

  it('has no dangling references', () => {
    const components: Record<string, object> = document.components;
    const existing = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    const references = Array.from(JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g), ([, target]) => target);
    expect(references.length).toBeGreaterThan(0);
    expect(references.filter((target) => !existing.includes(target ?? ''))).toEqual([]);
  });

  it('contains every method that is served from the index once', () => {
    expect(document.methods.map((method) => method.name)).toEqual(declarations.map((method) => method.name));
    expect(new Set(declarations.map((method) => method.name)).size).toBe(declarations.length);
    expect(document.info.description).toContain(`1 to ${maxRpcBatch} calls`);
  });

  it.each(document.methods)(
    'of $name has parameters that OpenRPC allows, and an example that conforms to it',
    (method) => {
      const required = method.params.map((param) => param.required === true);
      expect(required).toEqual(required.toSorted().reverse());
      const names = method.params.map((param) => param.name);
      expect(new Set(names).size).toBe(names.length);
      expect(method.examples.length).toBeGreaterThan(0);
      for (const { params, result } of method.examples) {
        for (const { name: given, value } of params)
          rule(method.params.find((param) => param.name === given)?.schema ?? { not: {} }).parse(value);
        const missing = method.params.filter(
          (param) => param.required && !params.some((each) => each.name === param.name),
        );
        expect(missing).toEqual([]);
        rule(method.result.schema).parse(result.value);
      }
    },
  );

  it('allows no values that the methods reject', async () => {
    const values = [
      '',
      'al',
      'alice',
      'a-name-of-16-chr',
      'a-name-that-is-17',
      'Alice',
      'hive-100001',
      'hive-400001',
      'bees',
      'blog',
      'muted',
      'rank',
      'x'.repeat(256),
      'x'.repeat(257),
      0,
      1,
      -1,
      1.5,
      25,
      100,
      101,
      1_000,
      1_001,
      2 ** 60,
      1e300,
      true,
      [],
      {},
    ];
    const nowhere = new Error('the sources were used');
    const read = () => Promise.reject(nowhere);
    const sources = createSources({ query: read }, { call: read });
    let allowed = 0;
    for (const [index, method] of document.methods.entries()) {
      const declaration = declarations[index];
      const given = declaration?.example.params ?? {};
      for (const param of method.params) {
        const described = rule(param.schema);
        for (const value of values.filter((each) => described.safeParse(each).success)) {
          allowed += 1;
          const params = { ...given, [param.name]: value };
          await expect(declaration?.prepare(params, false, sources).run()).rejects.toBe(nowhere);
        }
      }
    }
    expect(allowed).toBeGreaterThan(300);
  });
});

describe('the API', () => {
  let node: ScriptedNode;
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    node = await ScriptedNode.start();
    gateway = await GatewayUnderTest.start([node.url]);
  });
  afterAll(async () => {
    await gateway.stop();
    await node.stop();
  });

  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate({ ...openApiDocument() })).toEqual({ valid: true });
  });

  it.each(operations)(
    'responds to $method $path with a status that is described',
    async ({ method, path, statuses }) => {
      const call = { jsonrpc: '2.0', id: 1, method: 'rpc.discover' };
      const { status } = method === 'POST' ? await gateway.post(path, call) : await gateway.get(path);
      expect(statuses).toContain(String(status));
    },
  );

  it('serves the description of its HTTP paths at /docs/openapi.json', async () => {
    const { status, text } = await gateway.get('/docs/openapi.json');
    expect([status, JSON.parse(text)]).toEqual([200, openApiDocument()]);
  });

  it('serves its description at /docs/openrpc.json and by the call rpc.discover', async () => {
    const { status, text } = await gateway.get('/docs/openrpc.json');
    expect([status, JSON.parse(text)]).toEqual([200, openRpcDocument()]);
    expect((await gateway.call('rpc.discover', [])).json).toMatchObject({ result: openRpcDocument() });
  });
});
