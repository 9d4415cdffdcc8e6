import { type Running } from '@waggle/running';
import { Random } from '@waggle/testing';
import { check } from '../check/check';
import { LibraryClient } from '../clients/library-client';
import { beginConversations } from '../conversations';
import { SendLog } from '../send-log';
import { Load, type LoadOptions } from '../load';
import { noChanges } from '../observation';
import { settle } from '../settle';
import { readLastSeqs, readStored } from '../stored';
import { type Deployment } from './deployments';

export interface ChatOutcome {
  sent: number;
  acknowledged: number;
  /** How often clients reconnected. */
  reconnected: number;
  problems: string[];
}

/** Clients of the library that write continuously. */
export class ChatLoad {
  private readonly sendLog = new SendLog();
  private readonly load: Load;

  private constructor(
    private readonly running: Running,
    private readonly databaseUrl: string,
    private readonly clients: readonly LibraryClient[],
    private readonly startSeqs: ReadonlyMap<string, number>,
    options: Pick<LoadOptions, 'conversations' | 'random' | 'perSecond'>,
  ) {
    this.load = new Load({ ...options, clients, sendLog: this.sendLog });
  }

  /** Connects a client for each account and creates conversations. */
  static async begin(
    running: Running,
    { replicas, databaseUrl }: Deployment,
    accounts: readonly string[],
    perSecond: number,
  ): Promise<ChatLoad> {
    const random = new Random(1);
    const clients: LibraryClient[] = [];
    for (const [index, account] of accounts.entries()) {
      running.signal.throwIfAborted();
      const client = await LibraryClient.connect(account, index, await replicas.proxy(index));
      clients.push(client);
      running.use({ stop: () => client.close() });
    }
    const conversations = await beginConversations(clients, random);
    const startSeqs = await readLastSeqs(databaseUrl);
    const load = new ChatLoad(running, databaseUrl, clients, startSeqs, { conversations, random, perSecond });
    running.use({
      stop: () => {
        load.load.stop();
      },
    });
    return load;
  }

  start(): void {
    this.load.start();
  }

  /** Stops writing, waits for all messages and checks them. */
  async finish(): Promise<ChatOutcome> {
    this.load.stop();
    const { clients, sendLog } = this;
    const { conversations } = this.load;
    const unsettled = await settle({ clients, conversations, sendLog, signal: this.running.signal });
    const violations = check({
      conversations: await readStored(this.databaseUrl, this.startSeqs),
      sentMessages: [...sendLog.sentMessages],
      receivers: clients.map(({ receiver }) => receiver),
      lost: [],
      ...noChanges,
    });
    const sent = sendLog.sentMessages.length;
    const acknowledged = sendLog.count('acknowledged');
    return {
      sent,
      acknowledged,
      reconnected: clients.reduce((sum, { reconnects }) => sum + reconnects.resumed + reconnects.refetched, 0),
      problems: [
        ...(sent === acknowledged ? [] : [`${sent - acknowledged} messages without an acknowledgment`]),
        ...violations.map((violation) => JSON.stringify(violation)),
        ...[this.load, ...clients].flatMap(({ failures }) => failures),
        ...unsettled,
      ],
    };
  }
}
