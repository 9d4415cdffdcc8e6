import { newIdentifier } from '@waggle/service';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan, Repository } from 'typeorm';
import { SessionEntity } from './session.entity';

/** A log-in about to be stored. */
export interface NewSession {
  account: string;
  userAgent: string | null;
  ip: string | null;
  expiresAt: Date;
}

@Injectable()
export class SessionsStore {
  constructor(@InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>) {}

  async create(session: NewSession): Promise<string> {
    const id = newIdentifier();
    await this.sessions.insert({ id, ...session });
    return id;
  }

  /** The session unless it was revoked or has expired. */
  async findLive(id: string): Promise<SessionEntity | undefined> {
    const session = await this.sessions.findOneBy({ id, revokedAt: IsNull(), expiresAt: MoreThan(new Date()) });
    return session ?? undefined;
  }

  /** The account's live sessions, the newest first. */
  listLive(account: string): Promise<SessionEntity[]> {
    return this.sessions.find({
      where: { account, revokedAt: IsNull(), expiresAt: MoreThan(new Date()) },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
  }

  /** Notes that the session was renewed now. @returns whether it was live. */
  async renew(id: string): Promise<boolean> {
    const result = await this.sessions.update(
      { id, revokedAt: IsNull(), expiresAt: MoreThan(new Date()) },
      { renewedAt: () => 'now()' },
    );
    return result.affected === 1;
  }

  async revoke(id: string): Promise<void> {
    await this.sessions.update({ id, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
  }

  /** Sessions revoked within the last `seconds` by the database's clock. */
  async revokedWithin(seconds: number): Promise<string[]> {
    const rows = await this.sessions
      .createQueryBuilder('session')
      .select('session.id')
      .where(`session.revoked_at > now() - make_interval(secs => :seconds)`, { seconds })
      .getMany();
    return rows.map((row) => row.id);
  }
}
