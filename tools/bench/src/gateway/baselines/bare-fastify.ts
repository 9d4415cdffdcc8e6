import path from 'node:path';
import { exitOnError } from '@waggle/running/plain-error';
import { repositoryFolder } from '@waggle/running/repository-folder';
import { fastify } from 'fastify';
import { Pool } from 'pg';
import { Pool as HttpPool } from 'undici';
import { z } from 'zod';
import { nodeResult } from '../node-result';

/** The default of the service. */
const poolSize = 10;
const connections = 64;

const call = z.object({ id: z.number(), params: z.unknown() });
const notificationsParams = z.object({ account: z.string(), limit: z.number() });
const statement = z.object({ name: z.string(), text: z.string() });

/** Loads the statement of the built service, so that there is no copy to keep up to date. */
async function notificationsStatement(): Promise<z.output<typeof statement>> {
  const file = path.join(repositoryFolder, 'apps/rpc-gateway/dist/notifications/notifications.statements.js');
  return z.object({ accountNotifications: statement }).parse(await import(file)).accountNotifications;
}

/**
 * A route for each figure: the same bytes at once; the response of a node over a pool; the rows of the service's own
 * statement as JSON. It checks nothing, and has no limits, headers, metrics or cache.
 */
async function main(): Promise<void> {
  const database = new Pool({ connectionString: process.env['DATABASE_URL'], max: poolSize });
  const node = new HttpPool(process.env['NODE_URL'] ?? '', { connections });
  const text = await notificationsStatement();

  const app = fastify();
  app.post<{ Body: { id: number } }>('/cached', (request, reply) =>
    reply.type('application/json').send(`{"jsonrpc":"2.0","result":${nodeResult},"id":${request.body.id}}`),
  );
  app.post('/proxied', async (request, reply) => {
    const { body } = await node.request({
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request.body),
    });
    return reply.type('application/json').send(await body.text());
  });
  app.post('/notifications', async (request) => {
    const { id, params } = call.parse(request.body);
    const { account, limit } = notificationsParams.parse(params);
    const values = [account, 25, Number.MAX_SAFE_INTEGER, limit];
    const { rows } = await database.query<(string | number | null)[]>({ ...text, values, rowMode: 'array' });
    return {
      jsonrpc: '2.0',
      result: rows.map(([number, score, , source, recipient]) => ({
        id: Number(number),
        type: 'follow',
        score,
        date: '2026-01-01T00:00:00',
        msg: `@${source ?? ''} followed you`,
        url: `@${source ?? ''}`,
        recipient,
      })),
      id,
    };
  });
  process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
}

exitOnError(main());
