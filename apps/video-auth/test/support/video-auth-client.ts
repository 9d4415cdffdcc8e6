import { createHash } from 'node:crypto';
import { videoAuthErrorBody, videoLogin, type VideoAuthErrorBody } from '@waggle/contracts';
import { devnetKeys, signDigest } from '@waggle/devnet';
import { type z } from 'zod';
import { assertDescribed } from './described';

export const authPath = '/api/v1/auth';
export const loginPath = `${authPath}/login_singleton`;

let latestTs = 0;

/** A time of signing that no other log-in of this test file uses, in milliseconds. */
export function freshTs(): number {
  latestTs = Math.max(latestTs + 1, Date.now());
  return latestTs;
}

/** As the interface has it. */
export function payloadText(account: string, ts: unknown = new Date(freshTs()).toISOString()): string {
  return JSON.stringify({ account, ts });
}

/** @param wif private key in wallet import format */
export function sign(text: string, wif: string): string {
  return signDigest(createHash('sha256').update(text).digest(), wif);
}

export const postingKey = (account: string) => devnetKeys(account).posting.wif;

/** The body of a valid log-in, with these changes. */
export function loginBody(account: string, changes: Record<string, unknown> = {}) {
  const text = payloadText(account);
  return {
    username: account,
    network: 'hive',
    authority_type: 'posting',
    proof_payload: text,
    proof: sign(text, postingKey(account)),
    ...changes,
  };
}

/** The body of a valid log-in with this payload. */
export function loginWith(account: string, text: string, wif = postingKey(account)) {
  return loginBody(account, { proof_payload: text, proof: sign(text, wif) });
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** What clients do with one instance. */
export class VideoAuthClient {
  /** @param url such as `http://127.0.0.1:3002` */
  constructor(readonly url: string) {}

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('GET', path, headers);
  }

  delete(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('DELETE', path, headers);
  }

  /** @param body an object, or the text of a body */
  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    if (body === undefined) return this.send('POST', path, headers);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send('POST', path, { 'Content-Type': 'application/json', ...headers }, text);
  }

  /** The token of a log-in that must succeed. */
  async logIn(account: string, body: unknown = loginBody(account), headers?: Record<string, string>): Promise<string> {
    const response = await this.post(loginPath, body, headers);
    return (await jsonOf(response, videoLogin, 201)).access_token;
  }

  check(token: string): Promise<Response> {
    return this.post(`${authPath}/check`, undefined, bearer(token));
  }

  async isGood(token: string): Promise<boolean> {
    const { status } = await this.check(token);
    if (status !== 200 && status !== 401) throw new Error(`a check got ${status}`);
    return status === 200;
  }

  /** The error of a log-in that must fail. */
  async errorOfLogIn(body: unknown, path = loginPath): Promise<VideoAuthErrorBody> {
    return errorOf(await this.post(path, body));
  }

  /** Compares every response in the tests with the description. */
  private async send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Response> {
    const response = await fetch(this.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const error = response.ok ? undefined : videoAuthErrorBody.safeParse(await response.clone().json()).data;
    assertDescribed(method, response.url, response.status, error?.code);
    return response;
  }
}

/** @throws Error if the status is another one, or the body does not fit the contract exactly */
export async function jsonOf<Schema extends z.ZodType>(
  response: Response,
  schema: Schema,
  status = 200,
): Promise<z.infer<Schema>> {
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.status} ${text}`);
  const value: unknown = JSON.parse(text);
  const parsed = schema.parse(value);
  expect(value).toEqual(parsed);
  return parsed;
}

/** Parses an error response. */
export async function errorOf(response: Response): Promise<VideoAuthErrorBody> {
  const value: unknown = await response.json();
  const error = videoAuthErrorBody.parse(value);
  expect(value).toEqual(error);
  expect(error).toMatchObject({
    statusCode: response.status,
    reason: error.message,
    errorType: error.code.toUpperCase().replaceAll('-', '_'),
    requestId: response.headers.get('X-Request-Id'),
  });
  return error;
}
