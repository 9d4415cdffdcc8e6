import { fastifyCookie } from '@fastify/cookie';
import { tokenIn } from '@waggle/service';

/** The headers that credentials travel in, as Node gives them. */
type CredentialHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The names of the cookies with tokens, which the interface defines. */
export const accessCookie = 'access_token';
export const refreshCookie = 'refresh_token';

/** Which pages may use cookies. */
interface CookiePolicy {
  /** Origins, besides the service's own, whose pages may use them. */
  origins: readonly string[];
  /**
   * Origins whose pages may call the API, but with a Bearer token only, because they log in several accounts in one
   * browser.
   */
  bearerOrigins: readonly string[];
  /** Whether a page of the service's own host needs https. */
  secure: boolean;
}

/**
 * The tokens of a request. The one in the header takes precedence, because browsers attach cookies to every request.
 */
export interface PresentedTokens {
  header: string | undefined;
  cookies: string[];
}

/** Returns the token of the Authorization header and, if `acceptsCookies`, the values of the named cookies. */
export function presentedTokens(
  headers: CredentialHeaders,
  cookieNames: readonly string[],
  policy: CookiePolicy,
): PresentedTokens {
  // The upgrade request does not pass through Fastify, so the plugin's own parser is called.
  const values = acceptsCookies(headers, policy) ? fastifyCookie.parse(single(headers['cookie']) ?? '') : {};
  return {
    header: tokenIn(single(headers['authorization'])),
    cookies: cookieNames.flatMap((name) => values[name] ?? []),
  };
}

/**
 * Returns whether cookies may be read, set and cleared: the request comes from a page that may use them, or not from a
 * page. Browsers also attach cookies to requests of other sites' pages, which their `Origin` or, without one,
 * `Sec-Fetch-Site` reveals.
 */
export function acceptsCookies(headers: CredentialHeaders, policy: CookiePolicy): boolean {
  const origin = single(headers['origin']);
  if (origin === undefined) return ['same-origin', 'none', undefined].includes(single(headers['sec-fetch-site']));
  if (policy.bearerOrigins.includes(origin)) return false;
  return policy.origins.includes(origin) || isSameHost(origin, single(headers['host']), policy);
}

/** Returns whether a browser opens the URL as a page, as it does for a link from an e-mail. */
export function isNavigation(headers: CredentialHeaders): boolean {
  return single(headers['sec-fetch-mode']) === 'navigate';
}

/** Whether a page is of the service's own host. Only its http version is refused if cookies are secure. */
function isSameHost(origin: string, host: string | undefined, { secure }: CookiePolicy): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  return page.host === host && (page.protocol === 'https:' || !secure);
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
