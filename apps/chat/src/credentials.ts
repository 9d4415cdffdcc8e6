import { fastifyCookie } from '@fastify/cookie';
import { tokenIn } from '@waggle/service';

/** The headers that credentials travel in, as Node gives them. */
export type CredentialHeaders = Readonly<Record<string, string | string[] | undefined>>;

export const accessCookie = 'access_token';
export const refreshCookie = 'refresh_token';

/**
 * The origins whose pages may use a user's cookies. `secure`: only https pages. `bearerOrigins`: pages that may call the API but not use
 * cookies, since they log in several accounts in one browser.
 */
export interface CookiePolicy {
  origins: readonly string[];
  bearerOrigins: readonly string[];
  secure: boolean;
}

/** The tokens that a request carries. The header names the account that the caller means; cookies are sent in any case. */
export interface Presented {
  header: string | undefined;
  cookies: string[];
}

/** Returns the token of the Authorization header, and the named cookies if `acceptsCookies`. */
export function presentedTokens(
  headers: CredentialHeaders,
  cookies: readonly string[],
  policy: CookiePolicy,
): Presented {
  // The upgrade request does not pass through Fastify, so the plugin's own parser is called.
  const jar = acceptsCookies(headers, policy) ? fastifyCookie.parse(single(headers['cookie']) ?? '') : {};
  return {
    header: tokenIn(single(headers['authorization'])),
    cookies: cookies.flatMap((name) => jar[name] ?? []),
  };
}

/**
 * Tells whether cookies are accepted: the request comes from a trusted page, or not from a page. Browsers also attach cookies to requests of
 * other sites' pages, which their `Origin` or, without one, `Sec-Fetch-Site` reveals.
 */
export function acceptsCookies(headers: CredentialHeaders, policy: CookiePolicy): boolean {
  const origin = single(headers['origin']);
  if (origin === undefined) return ['same-origin', 'none', undefined].includes(single(headers['sec-fetch-site']));
  if (policy.bearerOrigins.includes(origin)) return false;
  return policy.origins.includes(origin) || isSameHost(origin, single(headers['host']), policy);
}

function isSameHost(origin: string, host: string | undefined, { secure }: CookiePolicy): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  return page.host === host && (page.protocol === 'https:' || !secure);
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
