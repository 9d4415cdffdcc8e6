import { Pool } from 'undici';

const path = '/api/v1/auth/login_singleton';

/** How long a log-in may take. */
const timeoutMs = 20_000;

/** Connections that log in, one log-in after another on each. */
export class LoginClient {
  private readonly pool: Pool;

  constructor(url: string, connections: number) {
    this.pool = new Pool(url, { connections, pipelining: 1, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  }

  /** @returns undefined where there is a token, else what was answered */
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
