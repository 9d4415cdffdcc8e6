import { type IndexUpdate } from '../changeset/index-updates';
import { parseCommand } from './parse-json';

const dateForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/**
 * Reads `["setLastRead", {"date": …}]`: the signer has read their notifications up to that time or, without a valid
 * date, to the block.
 */
export function readSetLastRead(signer: string, json: unknown): IndexUpdate | undefined {
  const command = parseCommand(json);
  if (command?.name !== 'setLastRead') return undefined;
  const { date } = command.payload;
  const readMs = typeof date === 'string' && dateForm.test(date) ? Date.parse(`${date}Z`) : NaN;
  return {
    declareReads: (readSet) => {
      readSet.addAccount(signer);
    },
    apply: ({ accounts }, time) => {
      const account = accounts.find(signer);
      // A date in the future would hide notifications that do not exist yet.
      const lastRead = Number.isNaN(readMs) ? time : new Date(Math.max(0, Math.min(readMs, time.getTime())));
      if (account) accounts.change(account.id, () => ({ lastRead }));
    },
  };
}
