import { z } from 'zod';
import { type IndexUpdate } from '../changeset/index-updates';
import { parseCommand } from './parse-command';

const shape = z.object({ date: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) });

/** Reads `["setLastRead", {"date": …}]`: the signer has read their notifications up to that time. */
export function readSetLastRead(signer: string, json: unknown): IndexUpdate | undefined {
  const command = parseCommand(json);
  if (command?.name !== 'setLastRead') return undefined;
  const { data } = shape.safeParse(command.payload);
  const readMs = Date.parse(`${data?.date}Z`);
  if (Number.isNaN(readMs)) return undefined;
  return {
    declareReads: (readSet) => {
      readSet.addAccount(signer);
    },
    apply: ({ accounts }, time) => {
      const account = accounts.find(signer);
      // A date in the future would hide notifications that do not exist yet.
      const lastRead = new Date(Math.max(0, Math.min(readMs, time.getTime())));
      if (account) accounts.change(account.id, () => ({ lastRead }));
    },
  };
}
