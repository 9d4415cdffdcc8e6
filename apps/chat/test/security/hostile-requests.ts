import {
  channelBody,
  conversationQuery,
  historyQuery,
  loginQuery,
  revokeSessionBody,
  settingsBody,
} from '@waggle/contracts';
import * as fc from 'fast-check';
import { type z } from 'zod';
import { brokenObject } from './hostile-frames';
import { hostileText, hostileValue } from './hostile-values';
import { interfaceTables } from '../support/interface-rows';
import { fieldsOf, type Field, type Names } from './schema-values';

export interface HostileRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const endpoints = Object.keys({
  ...interfaceTables['REST endpoints'],
  ...interfaceTables['REST endpoints beyond the document'],
});

/** The parameters of endpoints that have any; the other endpoints are sent all of them. */
const inputs: Record<string, z.ZodType> = {
  'GET /users/login': loginQuery,
  'GET /messages/conversation': conversationQuery,
  'GET /messages/chats': historyQuery,
  'POST /users/settings': settingsBody,
  'POST /users/channels': channelBody,
  'POST /users/revoke-session': revokeSessionBody,
};

/** Requests to every endpoint, valid and invalid in every way. */
export function hostileRequests(names: Names): fc.Arbitrary<HostileRequest> {
  return fc.oneof(...endpoints.map((endpoint) => requestsTo(endpoint, names)));
}

function requestsTo(endpoint: string, names: Names): fc.Arbitrary<HostileRequest> {
  const [rightMethod = '', rightPath = ''] = endpoint.split(' ');
  const schema = inputs[endpoint];
  const fields = (schema === undefined ? Object.values(inputs) : [schema]).flatMap((each) => fieldsOf(each, names));
  const oddMethod = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD');
  return fc.record({
    method: fc.oneof({ weight: 6, arbitrary: fc.constant(rightMethod) }, { weight: 1, arbitrary: oddMethod }),
    path: fc
      .tuple(fc.oneof({ weight: 8, arbitrary: fc.constant(rightPath) }, oddPath(rightPath)), queryOf(fields))
      .map(([path, query]) => path + query),
    headers: headersOf(names),
    body: bodyOf(fields),
  });
}

function oddPath(path: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      `${path}%00`,
      `${path}/..`,
      `${path}%2f..%2f..`,
      `${path};a=b`,
    ),
    hostileText.map((text) => `${path}/${safe(text)}`),
    fc.constantFrom('/%', '/%zz', '/..%2f', '//', '/users/__proto__', '/health/ready?x[__proto__]=1'),
  );
}

/** Valid parameters, hostile ones, several with one name, and invalid queries. */
function queryOf(fields: Field[]): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...fields.map(([field]) => field)) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'id[]', 'id[$ne]', 'ids[0]', 'extended') },
  );
  const right = fc
    .record(Object.fromEntries(fields))
    .map((values) => Object.entries(values).map(([key, value]) => `${key}=${encodeURIComponent(textOf(value))}`));
  const hostile = fc.array(
    fc.tuple(name, hostileText).map(([key, value]) => `${key}=${safe(value)}`),
    { maxLength: 4 },
  );
  return fc.oneof(
    { weight: 3, arbitrary: right.map((pairs) => `?${pairs.join('&')}`) },
    { weight: 4, arbitrary: fc.tuple(right, hostile).map(([some, more]) => `?${[...some, ...more].join('&')}`) },
    { weight: 3, arbitrary: hostile.map((pairs) => `?${pairs.join('&')}`) },
    { weight: 1, arbitrary: fc.constantFrom('', '?', '??', '?&&=&', '?%', '?%zz=1', '?id=%ff%fe', '?id=a&id=b&id=c') },
  );
}

function headersOf({ tokens }: Names): fc.Arbitrary<Record<string, string>> {
  const [own = ''] = tokens;
  const authorization = fc.oneof(
    { weight: 8, arbitrary: fc.constant(`Bearer ${own}`) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...tokens, 'Bearer', 'Basic YTpi', 'null', `Bearer ${own}x`, own.slice(1)),
    },
    { weight: 1, arbitrary: hostileText.map(printable) },
  );
  const odd = fc.dictionary(
    fc.constantFrom('Cookie', 'Origin', 'X-Request-Id', 'X-Forwarded-For', 'Sec-Fetch-Site', 'Accept', 'User-Agent'),
    fc.oneof(
      hostileText.map(printable),
      fc.constantFrom('access_token=x; refresh_token=', 'a'.repeat(2_000), '1.2.3.4, x'),
    ),
    { maxKeys: 3 },
  );
  const type = fc.constantFrom(
    'application/json',
    'application/json',
    'application/json; charset=utf-16',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    '',
    'nonsense',
  );
  return fc.tuple(authorization, odd, type).map(([Authorization, others, contentType]) => ({
    ...others,
    Authorization,
    'Content-Type': contentType,
  }));
}

function bodyOf(fields: Field[]): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(Object.fromEntries(fields)).map((body) => JSON.stringify(body)) },
    { weight: 4, arbitrary: brokenObject(fields).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: hostileValue.map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.constantFrom('{', '{"name":', 'x'.repeat(70_000), '\0', '{"name":"a","name":"b"}') },
    { weight: 2, arbitrary: fc.constant(undefined) },
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);
}

/** Percent-encodes a text so that it reaches the service, without characters that no client could send. */
function safe(text: string): string {
  return encodeURIComponent(text.toWellFormed()).slice(0, 2_000);
}

/** Replaces characters that a header cannot contain. */
function printable(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 2_000);
}
