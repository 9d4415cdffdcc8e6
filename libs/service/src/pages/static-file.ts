import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/** Media types by file extension; a file with another one is not served. */
const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  map: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
};

/** Types that are compressed already. */
const isCompressed = (mediaType: string) => mediaType === 'image/png';

/** The supported encodings in order of preference. */
const encoders = { br: promisify(brotliCompress), gzip: promisify(gzip) };
type Encoding = keyof typeof encoders;

/** The media type of a file by its name, or undefined. */
export function findMediaType(name: string): string | undefined {
  return mediaTypes[name.slice(name.lastIndexOf('.') + 1)];
}

/** A file in memory. It is compressed once, at the first request that accepts an encoding, on another thread. */
export class StaticFile {
  readonly etag: string;
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(
    readonly mediaType: string,
    readonly body: Buffer,
  ) {
    this.etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  }

  /** The body in the best encoding of an Accept-Encoding header. */
  async inEncodingOf(accepted: string): Promise<{ body: Buffer; encoding?: Encoding }> {
    const encoding = isCompressed(this.mediaType) ? undefined : encodingsIn(accepted)[0];
    if (encoding === undefined) return { body: this.body };
    const encoded = this.encoded.get(encoding) ?? encoders[encoding](this.body);
    this.encoded.set(encoding, encoded);
    return { body: await encoded, encoding };
  }
}

function encodingsIn(accepted: string): Encoding[] {
  const offered = new Set(
    accepted
      .split(',')
      .map((entry) => entry.replaceAll(/\s/g, '').toLowerCase())
      .filter((entry) => !/;q=0(\.0*)?$/.test(entry))
      .map((entry) => entry.split(';', 1)[0]),
  );
  return (['br', 'gzip'] as const).filter((encoding) => offered.has(encoding));
}
