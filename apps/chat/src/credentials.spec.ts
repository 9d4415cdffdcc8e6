import { acceptsCookies } from './credentials';

describe('cookies', () => {
  const headers = { origin: 'https://one.example', host: 'one.example' };
  const policy = { origins: [], bearerOrigins: [], secure: true };

  it('count for a page of the own host, unless its origin may only call by a Bearer token', () => {
    expect(acceptsCookies(headers, policy)).toBe(true);
    expect(acceptsCookies(headers, { ...policy, bearerOrigins: ['https://one.example'] })).toBe(false);
  });
});
