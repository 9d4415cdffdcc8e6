import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const file = path.join(__dirname, '../../../../docs/api/video-auth.openapi.json');

const description = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) }))),
});

/** Rejected before routing, or because of an internal error. */
const alwaysPossible = new Set(['not-found', 'internal']);

let paths: z.infer<typeof description>['paths'] | undefined;

/**
 * Compares a response with the committed description of its endpoint.
 *
 * @param code of an error
 * @throws Error
 */
export function assertDescribed(method: string, url: string, status: number, code: string | undefined): void {
  paths ??= description.parse(JSON.parse(readFileSync(file, 'utf8'))).paths;
  const { pathname } = new URL(url);
  const described = Object.entries(paths).find(([pattern]) => matches(pattern, pathname))?.[1][method.toLowerCase()];
  if (described === undefined || alwaysPossible.has(code ?? '')) return;
  const response = described.responses[status];
  const isDescribed = code === undefined ? response !== undefined : JSON.stringify(response).includes(`"${code}"`);
  if (!isDescribed)
    throw new Error(`${method} ${pathname} responded with ${status} ${code ?? ''}, which is not described`);
}

function matches(pattern: string, pathname: string): boolean {
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
}
