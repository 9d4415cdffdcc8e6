import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { tokenPrivateKey } from './chat-under-test';

/** A token of the service with other claims, signed by its key. */
export function resigned(token: string, claims: object): string {
  const [header, payload] = token.split('.');
  return signedBy(header, changed(payload, claims), createPrivateKey(tokenPrivateKey));
}

/** A part of a token with other values. */
export function changed(part: string | undefined, values: object): string {
  const claims = z.looseObject({}).parse(JSON.parse(Buffer.from(part ?? '', 'base64url').toString()));
  return Buffer.from(JSON.stringify({ ...claims, ...values })).toString('base64url');
}

export function signedBy(header = '', payload = '', key: KeyObject): string {
  const signature = sign('sha256', Buffer.from(`${header}.${payload}`), { key, dsaEncoding: 'ieee-p1363' });
  return `${header}.${payload}.${signature.toString('base64url')}`;
}
