import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  currentDelegation,
  delegationBalance,
  delegationChange,
  delegationPair,
  delegationStatus,
  pendingReturn,
  restError,
} from '@waggle/contracts';
import { descriptionText } from '@waggle/service';
import { z } from 'zod';
import { generateDescriptions } from '../../src/generate-descriptions';
import { blocksFrom, delegate } from '../support/blocks';
import { DelegationUnderTest } from '../support/delegation-under-test';

const operation = z.looseObject({
  summary: z.string().min(1),
  security: z.array(z.unknown()),
  parameters: z.array(z.looseObject({ name: z.string(), description: z.string().min(1) })),
  responses: z.record(
    z.string(),
    z.looseObject({
      headers: z.record(z.string(), z.unknown()).optional(),
      content: z.record(z.string(), z.looseObject({ example: z.unknown().optional() })).optional(),
    }),
  ),
});
const openApi = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.object({ get: operation })),
  components: z.looseObject({
    schemas: z.record(
      z.string(),
      z.looseObject({ example: z.unknown().optional(), examples: z.array(z.unknown()).optional() }),
    ),
  }),
});

describe('the description of the delegation service', () => {
  let service: DelegationUnderTest;
  beforeAll(async () => {
    service = await DelegationUnderTest.start();
    await service.feed.begin();
    await service.feed.apply(blocksFrom(1, [[delegate('alice', 'bob', 9n)], [delegate('alice', 'bob', 5n)]]));
  });
  afterAll(() => service.stop());

  const document = async () => openApi.parse(JSON.parse((await service.get('/docs/json')).text));

  it('is committed as docs/api/delegation.openapi.json (otherwise run `npx nx run delegation:describe`)', async () => {
    const name = 'delegation.openapi.json';
    const { [name]: described = {} } = await generateDescriptions();
    expect(await readFile(path.join(__dirname, '../../../../docs/api', name), 'utf8')).toBe(descriptionText(described));
  });

  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(await document())).toEqual({ valid: true });
  });

  it('has the documented endpoints and the additional ones, no credentials, and each parameter explained', async () => {
    const { paths } = await document();
    expect(Object.keys(paths).sort()).toEqual(
      ['account', 'history/in', 'history/out', 'in', 'out', 'pair', 'returns', 'status'].map(
        (each) => `/api/deleg/${each}`,
      ),
    );
    const parameters = ['account', 'after_id', 'as_of_block', 'before_id', 'limit'];
    const names = (resource: string) =>
      paths[`/api/deleg/${resource}`]?.get.parameters.map(({ name }) => name).toSorted();
    expect(names('in')).toEqual(parameters);
    expect(names('history/out')).toEqual([...parameters, 'descending'].toSorted());
    for (const { get } of Object.values(paths)) expect(get.security).toEqual([]);
  });

  it('describes the headers that responses have', async () => {
    const { paths } = await document();
    expect(Object.keys(paths['/api/deleg/in']?.get.responses['200']?.headers ?? {})).toContain('X-Synced-Block');
    for (const [target, { get }] of Object.entries(paths)) {
      const query = target.endsWith('pair') ? 'delegator=alice&delegatee=bob' : 'account=alice&limit=1&after_id=0';
      const { headers } = await service.get(`${target}?${query}`);
      for (const name of Object.keys(get.responses['200']?.headers ?? {})) {
        // There may be no other page to link to.
        if (name !== 'Link')
          expect([target, name, headers[name.toLowerCase()]]).toEqual([target, name, expect.any(String)]);
      }
    }
  });

  it('states which responses are conditional, and which are also available as CSV', async () => {
    const { paths } = await document();
    const firstLine = (text: unknown) => String(text).split('\r\n', 1)[0];
    for (const [path, { get }] of Object.entries(paths)) {
      const target = `${path}?${path.endsWith('pair') ? 'delegator=alice&delegatee=bob' : 'account=alice'}`;
      const { etag } = (await service.get(target)).headers;
      expect([path, '304' in get.responses]).toEqual([path, etag !== undefined]);
      if (etag !== undefined) expect((await service.get(target, { 'if-none-match': etag })).status).toBe(304);

      const csv = await service.get(target, { accept: 'text/csv' });
      const described = get.responses['200']?.content?.['text/csv'];
      expect([path, described !== undefined]).toEqual([path, csv.headers['content-type']?.startsWith('text/csv')]);
      if (described !== undefined) expect(firstLine(described.example)).toBe(firstLine(csv.text));
    }
  });

  it('has examples and responses that match its schemas', async () => {
    const { schemas } = (await document()).components;
    const schemaOf = {
      DelegationBalance: delegationBalance,
      CurrentDelegation: currentDelegation,
      DelegationChange: delegationChange,
      DelegationPair: delegationPair,
      PendingReturn: pendingReturn,
      DelegationStatus: delegationStatus,
      Error: restError,
    };
    for (const [name, schema] of Object.entries(schemaOf)) {
      const { example, examples = [example] } = schemas[name] ?? {};
      for (const each of examples) expect([name, schema.parse(each)]).toEqual([name, each]);
    }
    const responseTo = async (target: string): Promise<unknown> =>
      JSON.parse((await service.get(`/api/deleg/${target}`)).text);
    const parsed = {
      'account?account=alice': delegationBalance.strict(),
      'in?account=bob': z.array(currentDelegation.strict()).length(1),
      'history/out?account=alice': z.array(delegationChange.strict()).length(2),
      'pair?delegator=alice&delegatee=bob': delegationPair.strict(),
      'returns?account=alice': z.array(pendingReturn.strict()).length(1),
      status: delegationStatus.strict(),
    };
    for (const [target, schema] of Object.entries(parsed)) schema.parse(await responseTo(target));
  });

  it.each(['GET', 'HEAD'])('is where %s / leads without the page to explore', async (method) => {
    const response = await fetch(`${service.url}/`, { method, redirect: 'manual' });
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/docs']);
  });

  it('is served as a page at /docs', async () => {
    const page = await service.get('/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
    expect(page.text).toContain('Waggle delegation');
  });
});
