import { z } from 'zod';
import { type Attacker } from './attacker';
import { HeldResponse } from './held-response';
import { pause } from './pause';

/** Requests whose responses are not read, or hardly; everything is bounded for each address. */
export const heldResponsesJob = z.object({
  url: z.string(),
  /** Texts of requests, which connections send in turn. */
  texts: z.array(z.string()).nonempty(),
  addresses: z.array(z.string()).nonempty(),
  /** Connections that each address opens at once, and then in each second. */
  atOnce: z.number().int().positive(),
  perSecond: z.number().positive(),
  /** How many connections an address holds at most. */
  maxOpen: z.number().int().positive(),
  reading: z.object({ bytes: z.number().int().positive(), everyMs: z.number().positive() }).optional(),
});
export type HeldResponsesJob = z.infer<typeof heldResponsesJob>;

export const heldResponsesJobs = z.array(heldResponsesJob);

/** After so long an attacker gives a response up and asks again: the service may have given it up long before. */
const holdMs = 20_000;

/** Asks from all addresses at once, at the rate that the job allows, until the attack is over. */
export async function holdResponses(job: HeldResponsesJob, attacker: Attacker): Promise<void> {
  await Promise.all(job.addresses.map((address) => new HeldResponses(address, job, attacker).run()));
}

export async function holdAllResponses(jobs: readonly HeldResponsesJob[], attacker: Attacker): Promise<void> {
  await Promise.all(jobs.map((job) => holdResponses(job, attacker)));
}

/** The connections of one address. */
class HeldResponses {
  readonly #open = new Set<HeldResponse>();
  #opened = 0;

  constructor(
    private readonly address: string,
    private readonly job: HeldResponsesJob,
    private readonly attacker: Attacker,
  ) {}

  async run(): Promise<void> {
    const { atOnce, maxOpen, perSecond } = this.job;
    for (let first = 0; first < atOnce; first += 1) this.#openOne();
    while (await pause(1_000 / (perSecond * this.attacker.rate), this.attacker.signal)) {
      if (this.#open.size < maxOpen) this.#openOne();
    }
    for (const held of this.#open) held.close();
  }

  #openOne(): void {
    const { url, texts, reading } = this.job;
    const { count } = this.attacker;
    const text = texts[this.#opened % texts.length] ?? '';
    this.#opened += 1;
    count('requests');
    const held = new HeldResponse({ url, address: this.address, text, reading }, count, () => {
      clearTimeout(timer);
      this.#open.delete(held);
    });
    const timer = setTimeout(() => {
      held.close();
    }, holdMs);
    this.#open.add(held);
  }
}
