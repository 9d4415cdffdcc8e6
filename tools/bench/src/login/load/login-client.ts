import { Pool } from 'undici';

const path = '/api/v1/auth/login_singleton';

const timeoutMs = 20_000;

/** Logs in over connections with one log-in in flight each. */
export class LoginClient {
  private readonly pool: Pool;

  constructor(url: string, connections: number) {
    this.pool = new Pool(url, { connections, pipelining: 1, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  }

  /** @returns undefined on success, otherwise the response */
  async logIn(body: string): Promise<string | undefined> {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const response = await this.pool.request({ method: 'POST', path, headers, body });
    const text = await response.body.text();
    return response.statusCode === 201 && text.includes('"access_token"')
      ? undefined
      : `${response.statusCode} ${text}`;
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
