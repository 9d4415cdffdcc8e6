import { type OperationPlace } from '@waggle/chain';
import { type Effects } from '../effects';
import { type AccountMetadata, hasProfile, metadataChanges } from './account-metadata';

/** Only what the profile says of lists matters here. */
export function accountChange(effects: Effects, place: OperationPlace, name: string, metadata: AccountMetadata): void {
  if (!hasProfile(metadata)) return;
  effects.add(place, {
    need: (needs) => {
      needs.account(name);
    },
    apply: ({ accounts }) => {
      const account = accounts.find(name);
      if (account) accounts.change(account.id, metadataChanges(metadata));
    },
  });
}
