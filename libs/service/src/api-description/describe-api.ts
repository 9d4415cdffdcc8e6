import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { openApiDocument, type ApiDescription } from './api-description';
import { serveDocument } from './description-text';

/**
 * The documentation pages may load only their own files. Unlike helmet's policy this one does not upgrade http to
 * https, which would leave the page blank if the service has no TLS.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the API description of an application that does not listen yet. It is generated at the first request. */
export function describeApi(app: NestFastifyApplication, description: ApiDescription): void {
  const { path, title, documents = {} } = description;
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRoute', (route) => {
    if (route.url !== path && !route.url.startsWith(`${path}/`)) return;
    route.onSend = [route.onSend ?? []].flat();
    route.onSend.push((_request, reply, payload, done) => {
      void reply.header('Content-Security-Policy', contentSecurityPolicy);
      done(null, payload);
    });
  });
  const createDocument = () => openApiDocument(app, description);
  SwaggerModule.setup(path, app, createDocument, {
    // Would serialize the document for each request.
    raw: false,
    customSiteTitle: title,
    // The logo and icon of the page's generator.
    customCss: '.swagger-ui .topbar { display: none; }',
    customfavIcon: 'data:,',
    // Otherwise the page would send the document to a public validator.
    swaggerOptions: { validatorUrl: null },
  });
  for (const [name, create] of Object.entries({ json: createDocument, ...documents }))
    serveDocument(fastify, `${path}/${name}`, create);
}
