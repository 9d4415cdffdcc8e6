import { BadRequestException } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyRequest } from 'fastify';
import { parseStrictJson } from './strict-json';

const json = 'application/json';

/** The received bodies. */
const texts = new WeakMap<FastifyRequest, string>();

/** The JSON text of the body of a request, as it was received; empty if it has none. */
export function bodyTextOf(request: FastifyRequest): string {
  return texts.get(request) ?? '';
}

/**
 * Restricts an application to JSON bodies, and rejects those with a duplicate key, because a proxy that inspects them
 * might see another account. An empty body counts as none: clients send `application/json` with an empty POST.
 */
export function readJsonStrictly(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  // Fastify parses `text/plain` by default.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<string>(json, { parseAs: 'string' }, (request, text, done) => {
    try {
      texts.set(request, text);
      done(null, text === '' ? undefined : parseStrictJson(text));
    } catch {
      // The parser's message quotes the body.
      done(new BadRequestException('the body is not JSON, or an object in it has a key twice'));
    }
  });
}
