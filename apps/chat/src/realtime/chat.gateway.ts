import { type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, type OnModuleDestroy } from '@nestjs/common';
import { WebSocketGateway, type OnGatewayConnection } from '@nestjs/websockets';
import { SharedBudget } from '@waggle/service';
import { type WebSocket } from 'ws';
import { chunks } from '../portions';
import { REALTIME_SETTINGS, type RealtimeSettings } from './realtime-settings';
import { FrameLimits } from './frame-limits';
import { Connection } from './connection';
import { Connections } from './connections';
import { FramePump } from './frame-pump';
import { FrameRouter } from './frame-router';
import { heartbeatMs } from './liveness';
import { RealtimeMetrics } from './realtime.metrics';
import { UnsentBytes } from './slow-client-limits';

/**
 * Draining closes this many sockets at a time, with a pause of this average length in between, because their clients
 * reconnect to the other instances immediately. 50,000 sockets take 12 s; the process has 30 s to exit.
 */
const drainBatch = 200;
const drainPauseMs = 50;
/**
 * Maximum time that draining waits for the unfinished frames of a batch, in milliseconds. It goes on with the next
 * batches meanwhile.
 */
const drainTimeoutMs = 10_000;

/** Opens and closes connections. A `FramePump` handles the frames of each. */
@WebSocketGateway()
export class ChatGateway implements OnGatewayConnection<WebSocket>, OnModuleDestroy {
  private readonly pumps = new Map<Connection, FramePump>();
  private draining = false;
  /** Unsent bytes of all connections, by receiving account. */
  private readonly unsent: SharedBudget;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(
    @Inject(REALTIME_SETTINGS) private readonly settings: RealtimeSettings,
    private readonly connections: Connections,
    private readonly limits: FrameLimits,
    private readonly router: FrameRouter,
    private readonly metrics: RealtimeMetrics,
  ) {
    this.unsent = new SharedBudget(settings.realtime.slowClients.instanceBytes);
    this.heartbeat = setInterval(() => {
      for (const connection of this.connections.all()) connection.heartbeat();
    }, heartbeatMs);
  }

  handleConnection(socket: WebSocket, request: IncomingMessage): void {
    const { connectionBytes, maxStallMs } = this.settings.realtime.slowClients;
    const upgrade = { headers: request.headers, queryToken: tokenOf(request) };
    const unsent = new UnsentBytes(connectionBytes, this.unsent);
    const connection = new Connection(socket, request.socket, upgrade, unsent, maxStallMs);
    this.closeUnlessAuthenticated(connection);
    // Listens in the turn in which the socket opens, so that the first frame is not lost.
    this.pumps.set(connection, new FramePump(connection, this.limits, this.router));
    this.connections.add(connection);
    if (this.draining) connection.close('draining');
    // A frame that breaks the protocol or is too large: `ws` closes the socket itself, with 1002, 1007, 1008 or 1009.
    socket.on('error', () => {
      this.metrics.failures.inc({ code: 'protocol' });
    });
    connection.onClose(() => {
      this.pumps.delete(connection);
      this.connections.remove(connection);
    });
  }

  private closeUnlessAuthenticated(connection: Connection): void {
    const deadline = setTimeout(() => {
      if (connection.authentication === undefined) connection.close('notAuthenticatedInTime');
    }, this.settings.realtime.authenticationDeadlineMs);
    connection.onClose(() => {
      clearTimeout(deadline);
    });
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.heartbeat);
    this.draining = true;
    const drained: Promise<void>[] = [];
    for (const batch of chunks([...this.pumps], drainBatch)) {
      if (drained.length > 0) await delay(2 * drainPauseMs * Math.random());
      const deadline = delay(drainTimeoutMs, undefined, { ref: false });
      drained.push(...batch.map((each) => drain(each, deadline)));
    }
    await Promise.all(drained);
  }
}

/** Closes a connection after the replies to its unfinished frames, or at the deadline. */
async function drain([connection, pump]: [Connection, FramePump], deadline: Promise<void>): Promise<void> {
  await Promise.race([pump.drain(), deadline]);
  connection.close('draining');
}

function tokenOf(request: IncomingMessage): string | undefined {
  const query = (request.url ?? '').split('?')[1];
  return new URLSearchParams(query).get('token') ?? undefined;
}
