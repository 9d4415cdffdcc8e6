import type { Chat, Settings } from '@waggle/client/browser';
import type { DataStore } from '../store/data-store';

/** Settings of the account. All methods throw what `ChatApi` throws. */
export class Account {
  constructor(
    private readonly chat: Chat,
    private readonly store: DataStore,
  ) {}

  async changeSettings(settings: Settings): Promise<void> {
    const changed = await this.chat.api.changeSettings(settings);
    this.store.update((data) => ({ ...data, settings: changed }));
  }
}
