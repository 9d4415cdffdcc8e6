import { html, nothing, type TemplateResult } from 'lit';
import { query } from 'lit/decorators.js';
import type { FriendRequest } from '@waggle/client/browser';
import { defineElement } from '../elements/define-element';
import { accountForm } from '../elements/account-form';
import { ActionElement, InvalidInput } from '../elements/action-element';
import '../elements/waggle-confirm';
import type { WaggleConfirm } from '../elements/waggle-confirm';
import { avatar, avatarStyles } from '../theme/avatar';
import { icon } from '../theme/icons';
import { panelStyles } from '../theme/panel';

/**
 * Friend requests, friends and blocked accounts.
 *
 * @fires account-selected - `detail.account` is the friend to write to
 */
@defineElement('waggle-people')
export class WagglePeople extends ActionElement {
  static override styles = [...ActionElement.styles, avatarStyles, panelStyles];

  @query('waggle-confirm') private readonly confirmation!: WaggleConfirm;

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const { friends, blocked, requests, sentRequests } = this.data.people;
    return html`${
        requests.length === 0
          ? nothing
          : this.#section(
              texts.requests,
              requests.map((request) => this.#received(request)),
            )
      }
      ${accountForm({
        id: 'friend',
        label: texts.addFriend,
        placeholder: texts.account,
        action: texts.add,
        isBusy: this.isBusy,
        error: this.errorAt('friend'),
        onAccount: (account) => this.#request(account),
      })}
      ${
        sentRequests.length === 0
          ? nothing
          : this.#section(
              texts.sentRequests,
              sentRequests.map(({ id, username }) =>
                this.#entry(
                  username,
                  this.#button(texts.withdraw, username, () => this.live?.people.reject(id)),
                ),
              ),
            )
      }
      ${this.#section(
        texts.friends,
        friends.length === 0
          ? [html`<li class="muted">${texts.noFriends}</li>`]
          : friends.map((friend) => this.#friend(friend)),
      )}
      ${
        blocked.length === 0
          ? nothing
          : this.#section(
              texts.blocked,
              blocked.map((account) =>
                this.#entry(
                  account,
                  this.#button(texts.unblock, account, () => this.live?.chat.unblock(account)),
                ),
              ),
            )
      } <waggle-confirm .client=${this.usedClient}></waggle-confirm>`;
  }

  #section(title: string, entries: TemplateResult[]): TemplateResult {
    return html`<section>
      <h2 class="heading">${title}</h2>
      <ul class="list">
        ${entries}
      </ul>
    </section>`;
  }

  #received({ id, username }: FriendRequest): TemplateResult {
    const { texts } = this.language;
    return this.#entry(
      username,
      html`${this.#button(texts.accept, username, () => this.live?.chat.acceptFriendship(id), true)}
      ${this.#button(texts.reject, username, () => this.live?.people.reject(id))}`,
    );
  }

  #friend(account: string): TemplateResult {
    const { texts } = this.language;
    return this.#entry(
      account,
      html`<button
          class="icon-button"
          aria-label=${texts.writeMessage(account)}
          title=${texts.writeMessage(account)}
          @click=${() => {
            this.emit('account-selected', { account });
          }}
        >
          ${icon('chats')}
        </button>
        <button
          class="icon-button"
          aria-label="${texts.removeFriend}: ${account}"
          title=${texts.removeFriend}
          @click=${() => void this.#removeFriend(account)}
        >
          ${icon('removePerson')}
        </button>`,
    );
  }

  #entry(account: string, actions: TemplateResult): TemplateResult {
    const { texts } = this.language;
    const isOnline = this.data.online.has(account);
    return html`<li class="entry">
      ${avatar(account, { pattern: this.clientState.config.avatars, isOnline })}
      <span class="grow">
        <span class="ellipsis">${account}</span>
        ${isOnline ? html`<div class="muted">${texts.online}</div>` : nothing}
      </span>
      <span class="actions">${actions}</span>
      ${this.errorAt(entryIdOf(account))}
    </li>`;
  }

  #button(
    text: string,
    account: string,
    action: () => Promise<unknown> | undefined,
    isPrimary = false,
  ): TemplateResult {
    return this.actionButton(entryIdOf(account), text, action, { account, isPrimary });
  }

  #request(account: string): Promise<boolean> {
    const { texts } = this.language;
    const request = async (): Promise<void> => {
      if (account === this.data.account) throw new InvalidInput(texts.ownAccount);
      await this.live?.people.request(account);
    };
    return this.attempt('friend', request, { accounts: [account], texts: { conflict: texts.friendAlready(account) } });
  }

  async #removeFriend(account: string): Promise<void> {
    const { texts } = this.language;
    if (!(await this.confirmation.ask(texts.removeFriendQuestion(account), texts.removeFriend))) return;
    await this.attempt(entryIdOf(account), async () => this.live?.chat.removeFriendship(account), {
      accounts: [account],
    });
  }
}

function entryIdOf(account: string): string {
  return `entry-${account}`;
}
