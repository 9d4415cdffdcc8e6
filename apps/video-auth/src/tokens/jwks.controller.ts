import { Controller, Get, Header } from '@nestjs/common';
import { publicTokenKeys, type PublicTokenKeys } from '@waggle/contracts';
import { RespondsWith } from '../api-description/responds-with';
import { TokenKeys } from './token-keys';

/** The next key is published long before it signs, so a response may be cached for minutes. */
const maxAgeSeconds = 300;

/** Publishes the keys with which other services verify tokens. */
@Controller('.well-known')
export class JwksController {
  constructor(private readonly keys: TokenKeys) {}

  @Get('jwks.json')
  @Header('Cache-Control', `public, max-age=${maxAgeSeconds}`)
  @RespondsWith(publicTokenKeys, {
    summary: 'The public keys that verify tokens',
    description: 'The current key, the next one, and former ones whose tokens are still valid.',
    credentials: [],
  })
  list(): PublicTokenKeys {
    return this.keys.published;
  }
}
