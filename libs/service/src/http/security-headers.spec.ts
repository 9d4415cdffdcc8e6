import fastifyHelmet from '@fastify/helmet';
import { fastify } from 'fastify';
import { securityHeaders } from './security-headers';

it('are those of helmet', async () => {
  const app = fastify();
  await app.register(fastifyHelmet);
  app.get('/', () => '');
  const { headers } = await app.inject('/');
  const others = ['content-type', 'content-length', 'date', 'connection'];
  expect(securityHeaders).toEqual(
    Object.fromEntries(Object.entries(headers).filter(([name]) => !others.includes(name))),
  );
  await app.close();
});
