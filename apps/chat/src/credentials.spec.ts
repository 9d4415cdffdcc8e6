import { acceptsCookies } from './credentials';

describe('cookies', () => {
  const headers = { origin: 'https://one.example', host: 'one.example' };
  const policy = { origins: [], bearerOrigins: [], secure: true };

  it('are accepted from a page of the same host, unless its origin is limited to Bearer tokens', () => {
    expect(acceptsCookies(headers, policy)).toBe(true);
    expect(acceptsCookies(headers, { ...policy, bearerOrigins: ['https://one.example'] })).toBe(false);
  });
});
