import { z } from 'zod';
import { type Effect } from '../effects';
import { findCommand } from './command';

const shape = z.object({ date: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) });

/** `["setLastRead", {"date": …}]`: the signer has read their notifications up to then. */
export function readNotify(signer: string, json: unknown): Effect | undefined {
  const command = findCommand(json);
  if (command?.name !== 'setLastRead') return undefined;
  const { data } = shape.safeParse(command.payload);
  const readMs = Date.parse(`${data?.date}Z`);
  if (Number.isNaN(readMs)) return undefined;
  return {
    need: (needs) => {
      needs.account(signer);
    },
    apply: ({ accounts }, { time }) => {
      const account = accounts.find(signer);
      // Nobody has read what is yet to come.
      const lastRead = new Date(Math.max(0, Math.min(readMs, time.getTime())));
      if (account) accounts.change(account.id, () => ({ lastRead }));
    },
  };
}
