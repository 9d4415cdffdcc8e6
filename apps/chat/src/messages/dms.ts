import { Inject, Injectable } from '@nestjs/common';
import { type Pool } from 'pg';
import { POOL } from '../database';
import { dmPair } from './dm-pair';

/** Which conversation is the dm of two accounts. */
@Injectable()
export class Dms {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** The id of their dm, where they have one. */
  async findId(account: string, other: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'dm-of-pair',
      text: `SELECT id FROM conversation WHERE type = 'dm' AND dm_first = $1 AND dm_second = $2`,
      values: dmPair(account, other),
    });
    return rows[0]?.id;
  }
}
