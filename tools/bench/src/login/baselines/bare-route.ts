import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { exitOnError } from '@waggle/running/plain-error';
import { recoverPublicKey } from '@waggle/signatures';
import { fastify } from 'fastify';

/** The baseline: a Fastify route that recovers the key of the signature and signs a token with ES256, without any checks. */
async function main(): Promise<void> {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = base64url({ alg: 'ES256', typ: 'JWT', kid: 'bare' });
  const app = fastify();
  app.post<{ Body: { username: string; proof_payload: string; proof: string } }>(
    '/api/v1/auth/login_singleton',
    async (request, reply) => {
      const { username, proof_payload, proof } = request.body;
      const recovered = recoverPublicKey(proof_payload, proof);
      if (!recovered.ok) return reply.code(401).send({ errorType: 'INVALID_SIGNATURE' });
      const iat = Math.floor(Date.now() / 1_000);
      const claims = {
        iss: 'waggle-video-auth',
        aud: 'waggle-video',
        sub: `singleton/hive/${username}`,
        jti: randomUUID(),
        sid: randomUUID(),
        iat,
        exp: iat + 604_800,
        type: 'singleton',
        username,
        network: 'hive',
      };
      const text = `${header}.${base64url(claims)}`;
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
      return reply.code(201).send({ access_token: `${text}.${signature}` });
    },
  );
  process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
}

exitOnError(main());
