import { createHash } from 'node:crypto';

const token = 'the token of the bot';

/** The header of the client `bot`. */
export const botHeaders = { 'X-API-Key': token };

interface NamedClient {
  name: string;
  addresses: string[];
  tokenSha256: string[];
  limits: Record<string, number>;
}

/** Two clients that have a limit of their own: `site`, 3 at the addresses, and `bot`, 2 with its token. */
export function siteAndBot(limit: string, addresses: string): NamedClient[] {
  const limits = (max: number) => ({ [limit]: max });
  return [
    { name: 'site', addresses: [addresses], tokenSha256: [], limits: limits(3) },
    { name: 'bot', addresses: [], tokenSha256: [createHash('sha256').update(token).digest('hex')], limits: limits(2) },
  ];
}
