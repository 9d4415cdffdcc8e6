export interface PagePolicy {
  /** Origins whose pages may frame this one, in addition to its own. */
  frameOrigins?: readonly string[];
  /** Origins that the page may call, in addition to its own. */
  connectOrigins?: readonly string[];
  /** Origins of images, in addition to its own. */
  imageOrigins?: readonly string[];
}

/**
 * Headers of a page that loads only its own files: no inline script or style, no `eval`, and no text becomes HTML or a
 * script URL (Trusted Types). The allowed policy is Lit's, for its constant templates. Unlike the common policy this
 * one does not upgrade http to https, which would leave a page blank without TLS.
 */
export function pageHeaders({ frameOrigins = [], connectOrigins = [], imageOrigins = [] }: PagePolicy = {}) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ['connect-src', "'self'", ...connectOrigins].join(' '),
    ['img-src', "'self'", 'data:', ...imageOrigins].join(' '),
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    ['frame-ancestors', "'self'", ...frameOrigins].join(' '),
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ];
  // With frame-ancestors, browsers ignore the X-Frame-Options of the common headers.
  return { 'Content-Security-Policy': policy.join('; ') };
}
