/** The headers that credentials travel in, as Node gives them. */
export type CredentialHeaders = Readonly<Record<string, string | string[] | undefined>>;

export const accessCookie = 'access_token';
export const refreshCookie = 'refresh_token';

/**
 * Every token that a request carries, strongest statement first: the Authorization header, with or without the word
 * Bearer, then the named cookies. Cookies count only where `cookiesCount` says so.
 */
export function presentedTokens(
  headers: CredentialHeaders,
  cookies: readonly string[],
  cookieOrigins: readonly string[],
): string[] {
  const header = single(headers['authorization']);
  const tokens = header === undefined ? [] : [header.replace(/^Bearer\s+/i, '').trim()];
  if (cookiesCount(headers, cookieOrigins)) {
    const jar = parseCookies(single(headers['cookie']) ?? '');
    tokens.push(...cookies.map((name) => jar.get(name) ?? ''));
  }
  return tokens.filter((token) => token !== '');
}

/**
 * Whether the request comes from one of our own pages or from no page at all. A browser attaches cookies to requests
 * that a stranger's page makes; its `Origin` (or, on plain navigations, `Sec-Fetch-Site`) gives the stranger away.
 */
export function cookiesCount(headers: CredentialHeaders, cookieOrigins: readonly string[]): boolean {
  const origin = single(headers['origin']);
  if (origin === undefined) return single(headers['sec-fetch-site']) !== 'cross-site';
  return cookieOrigins.includes(origin) || isSameHost(origin, single(headers['host']));
}

function isSameHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function parseCookies(header: string): Map<string, string> {
  const jar = new Map<string, string>();
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0 && !jar.has(name))
      jar.set(
        name,
        pair
          .slice(at + 1)
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      );
  }
  return jar;
}
