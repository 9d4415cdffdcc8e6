import { type ClientFrameType, type LoginSession, loginSession } from '@waggle/contracts';
import { type RecordedRequest, Recording, until } from '@waggle/testing';
import { bearer, jsonOf } from '../support/chat-client';
import { type AnyServerFrame, type ChatSocket } from '../support/chat-socket';
import { type ChatInstance } from '../support/chat-under-test';
import { loginPath } from '../support/login-path';

/** A client whose frames are all recorded. */
class RecordedConnection {
  private recorded = 0;

  constructor(readonly socket: ChatSocket) {}

  /**
   * The frames since the last call. Replies are in order, so all earlier frames arrive before the reply to this one.
   */
  async received(): Promise<AnyServerFrame[]> {
    const { ref } = await this.socket.requestError('acknowledgment', {});
    return this.unrecorded().filter((frame) => frame.ref !== ref);
  }

  unrecorded(): AnyServerFrame[] {
    const frames = this.socket.frames.slice(this.recorded);
    this.recorded = this.socket.frames.length;
    return frames;
  }
}

/**
 * Records, step by step, the actions of documented clients on one instance and the frames that each client receives.
 */
export class RecordedSession {
  private readonly connections = new Map<string, RecordedConnection>();

  private constructor(
    private readonly chat: ChatInstance,
    private readonly recording: Recording,
  ) {}

  static of(chat: ChatInstance): RecordedSession {
    return new RecordedSession(chat, new Recording(chat.url));
  }

  async logIn(account: string): Promise<LoginSession> {
    return jsonOf(await this.request({ path: loginPath(account) }), loginSession);
  }

  /** Sends a request, and records the frames that clients receive because of it. */
  async request(request: RecordedRequest): Promise<Response> {
    const response = await this.recording.request(request);
    await this.recordReceived({});
    return response;
  }

  /** Requests of a client that stores its tokens. */
  as({ username, token }: LoginSession) {
    return (path: string, body?: unknown) =>
      this.request({
        path,
        by: `${username}, Bearer`,
        headers: bearer(token),
        ...(body !== undefined && { method: 'POST', body }),
      });
  }

  /** Requests of a page that has the session in cookies. */
  asPage({ username, token, refresh_token }: LoginSession) {
    const headers = {
      Origin: 'https://app.example',
      Cookie: `access_token=${token}; refresh_token=${refresh_token}`,
    };
    return (path: string, body?: unknown) =>
      this.request({ path, by: `${username}, cookies`, headers, ...(body !== undefined && { method: 'POST', body }) });
  }

  /** Opens a WebSocket whose frames are recorded under this name. */
  async open(name: string, headers: Record<string, string> = {}): Promise<void> {
    this.connections.set(name, new RecordedConnection(await this.chat.openSocket({ headers })));
  }

  /** Sends any frame, waits for a reply, and records the frames of all clients; returns the sender's. */
  async send(name: string, type: ClientFrameType | 'unknown', payload: unknown = {}): Promise<AnyServerFrame[]> {
    return this.sendBy(name, { type, payload }, (socket) => {
      socket.send(type, payload);
    });
  }

  /** Like `send`, for data that is not a frame. */
  async sendRaw(name: string, text: string): Promise<void> {
    await this.sendBy(name, { text }, (socket) => {
      socket.sendRaw(text);
    });
  }

  /** Performs an action that ends a connection, and records the rest of its frames and the close code. */
  async ending(name: string, end: (socket: ChatSocket) => unknown): Promise<void> {
    const connection = this.connectionOf(name);
    this.connections.delete(name);
    await end(connection.socket);
    const closing = await connection.socket.closed;
    this.recording.add({ closed: name, ...closing, received: connection.unrecorded() });
  }

  comparedWith(file: string) {
    return this.recording.comparedWith(file);
  }

  private async sendBy(name: string, sent: object, send: (socket: ChatSocket) => void): Promise<AnyServerFrame[]> {
    const { socket } = this.connectionOf(name);
    const before = socket.frames.length;
    send(socket);
    await until(() => socket.frames.length > before);
    const received = await this.recordReceived({ by: name, sent });
    return received[name] ?? [];
  }

  private async recordReceived(cause: object): Promise<Record<string, AnyServerFrame[]>> {
    const all: [string, AnyServerFrame[]][] = [];
    for (const [name, connection] of this.connections) all.push([name, await connection.received()]);
    const received = Object.fromEntries(all.filter(([, frames]) => frames.length > 0));
    if (Object.keys({ ...cause, ...received }).length > 0) this.recording.add({ ...cause, received });
    return received;
  }

  private connectionOf(name: string): RecordedConnection {
    const connection = this.connections.get(name);
    if (connection === undefined) throw new Error(`${name} is not connected`);
    return connection;
  }
}
