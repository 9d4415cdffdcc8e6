import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { type Authentication, type Connection } from './connection';

/**
 * The open connections of this instance, by account and by session. Emits `capable` when one has requested
 * capabilities.
 */
@Injectable()
export class Connections extends EventEmitter<{ capable: [connection: Connection] }> {
  private readonly open = new Set<Connection>();
  private readonly byAccount = new Map<string, Set<Connection>>();
  private readonly bySession = new Map<string, Set<Connection>>();
  /** The sessions by which connections are being authenticated. */
  private readonly expected = new Map<Connection, string>();

  get size(): number {
    return this.open.size;
  }

  add(connection: Connection): void {
    this.open.add(connection);
  }

  /** Lets `closeSession` close this connection also if the session that is about to authenticate it ends. */
  expectSession(connection: Connection, sessionId: string): void {
    this.forgetExpected(connection);
    this.expected.set(connection, sessionId);
    insert(this.bySession, sessionId, connection);
  }

  /** Makes the connection one of the account's and the session's; it may have been another's before. */
  authenticate(connection: Connection, authentication: Authentication): void {
    this.forget(connection);
    connection.authenticate(authentication);
    insert(this.byAccount, authentication.account, connection);
    insert(this.bySession, authentication.sessionId, connection);
  }

  remove(connection: Connection): void {
    this.open.delete(connection);
    this.forget(connection);
  }

  all(): Iterable<Connection> {
    return this.open;
  }

  ofAccount(account: string): Iterable<Connection> {
    return this.byAccount.get(account) ?? [];
  }

  countOf(account: string): number {
    return this.byAccount.get(account)?.size ?? 0;
  }

  /** Closes the connections of a session that has been revoked. */
  closeSession(sessionId: string): void {
    for (const connection of this.bySession.get(sessionId) ?? []) connection.close('sessionRevoked');
  }

  private forget(connection: Connection): void {
    this.forgetExpected(connection);
    const { authentication } = connection;
    if (authentication === undefined) return;
    drop(this.byAccount, authentication.account, connection);
    drop(this.bySession, authentication.sessionId, connection);
  }

  private forgetExpected(connection: Connection): void {
    const sessionId = this.expected.get(connection);
    if (sessionId === undefined) return;
    this.expected.delete(connection);
    drop(this.bySession, sessionId, connection);
  }
}

function insert(index: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const connections = index.get(key);
  if (connections === undefined) index.set(key, new Set([connection]));
  else connections.add(connection);
}

function drop(index: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const connections = index.get(key);
  connections?.delete(connection);
  if (connections?.size === 0) index.delete(key);
}
