import { type Running } from '@waggle/running';
import { Random } from '@waggle/testing';
import { check } from '../check/check';
import { LibraryClient } from '../clients/library-client';
import { beginConversations, type Conversation } from '../conversations';
import { Ledger } from '../ledger';
import { Load } from '../load';
import { settle } from '../settle';
import { readPlaces, readStored } from '../stored';
import { type Deployment } from './deployments';

export interface ChatOutcome {
  sent: number;
  acknowledged: number;
  /** How often clients came back after a connection was closed. */
  reconnected: number;
  /** What must not happen. */
  faults: string[];
}

/** Clients of the library that write to one another all the time. */
export class ChatLoad {
  readonly #ledger = new Ledger();
  readonly #load: Load;

  private constructor(
    private readonly running: Running,
    private readonly databaseUrl: string,
    private readonly clients: readonly LibraryClient[],
    private readonly conversations: Conversation[],
    /** What lies before the first message of the load. */
    private readonly watchedAfter: Awaited<ReturnType<typeof readPlaces>>,
    random: Random,
    perSecond: number,
  ) {
    this.#load = new Load({ clients, conversations, ledger: this.#ledger, perSecond, random });
  }

  /** @param accounts that are on the chain; each is one client */
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
      const client = await LibraryClient.connect(account, index, await replicas.front(index));
      clients.push(client);
      running.keep({ stop: () => client.close() });
    }
    const conversations = await beginConversations(clients, random);
    const watchedAfter = await readPlaces(databaseUrl);
    const load = new ChatLoad(running, databaseUrl, clients, conversations, watchedAfter, random, perSecond);
    running.keep({
      stop: () => {
        load.#load.stop();
        return Promise.resolve();
      },
    });
    return load;
  }

  start(): void {
    this.#load.start();
  }

  /** Resolves when everybody has heard what was written, or it is clear that somebody does not. */
  async finish(): Promise<ChatOutcome> {
    this.#load.stop();
    const { clients, conversations } = this;
    const ledger = this.#ledger;
    const unsettled = await settle({ clients, conversations, ledger, signal: this.running.signal });
    const violations = check({
      conversations: await readStored(this.databaseUrl, this.watchedAfter),
      sendings: [...ledger.sendings],
      hearings: clients.map(({ hearing }) => hearing),
      lost: [],
    });
    const sent = ledger.sendings.length;
    const acknowledged = ledger.count('acknowledged');
    return {
      sent,
      acknowledged,
      reconnected: clients.reduce((sum, { returns }) => sum + returns.resumed + returns.refetched, 0),
      faults: [
        ...(sent === acknowledged ? [] : [`${sent - acknowledged} messages without an answer`]),
        ...violations.map((violation) => JSON.stringify(violation)),
        ...clients.flatMap((client) => client.failures),
        ...unsettled,
      ],
    };
  }
}
