import { css, html, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { defineElement } from '../elements/define-element';
import { accountForm } from '../elements/account-form';
import { ActionElement } from '../elements/action-element';
import { copyText } from '../elements/copy-text';
import '../elements/waggle-confirm';
import type { WaggleConfirm } from '../elements/waggle-confirm';
import '../elements/waggle-menu';
import type { MenuItem } from '../elements/waggle-menu';
import type { ConversationData } from '../store/chat-data';
import { avatar, avatarStyles } from '../theme/avatar';
import { panelStyles } from '../theme/panel';
import { otherAccount, titleOf } from './naming';
import { MemberOrder } from './member-order';
import { permissionsIn, roleIn } from './permissions';

/** Limit of the members of a channel that are shown: more than a person reads. */
const maxMembers = 1_000;

/**
 * The members of a conversation, and what can be done with it.
 *
 * @fires conversation-left - the account has left the conversation
 */
@defineElement('waggle-conversation-details')
export class WaggleConversationDetails extends ActionElement {
  static override styles = [
    ...ActionElement.styles,
    avatarStyles,
    panelStyles,
    css`
      .summary {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        justify-items: center;
        gap: 8px;
        text-align: center;
        overflow-wrap: anywhere;
      }

      /* Marks that stack up, or that no line break can separate, stay inside. */
      h2 {
        max-width: 100%;
        contain: paint;
        font-size: var(--_text-lg);
      }
    `,
  ];

  /** Id of the conversation. */
  @property() conversation = '';

  /** All members of a channel, once they are loaded. */
  @state() private members: { id: string; accounts: readonly string[] } | undefined;

  readonly #order = new MemberOrder();
  @query('#name') private readonly nameField!: HTMLInputElement;
  @query('waggle-confirm') private readonly confirmation!: WaggleConfirm;

  protected override render(): TemplateResult | typeof nothing {
    const { language, data } = this;
    const conversation = data.conversations.get(this.conversation);
    if (conversation === undefined) return nothing;
    const { texts, formats } = language;
    const { type, members } = conversation;
    const title = titleOf(conversation, data.account, language);
    const name = type === 'dm' ? otherAccount(conversation, data.account) : title;
    return html`<div class="summary">
        ${avatar(name, { size: 'large', kind: type, pattern: this.clientState.config.avatars })}
        <h2><bdi>${title}</bdi></h2>
        <span class="muted">
          ${
            type === 'dm'
              ? data.online.has(name)
                ? texts.online
                : nothing
              : `${type === 'channel' ? texts.channel : texts.group} · ${texts.members(members.length, formats)}`
          }
        </span>
      </div>
      ${type === 'dm' ? this.#person(name) : this.#shared(conversation)}
      <section>
        <button class="button danger" @click=${() => void this.#leave(conversation)}>
          ${type === 'dm' ? texts.hideDm : texts.leave}
        </button>
        ${this.errorAt('leave')}
      </section>
      ${this.outcomeNotice()}
      <waggle-confirm .client=${this.usedClient}></waggle-confirm>`;
  }

  #person(account: string): TemplateResult {
    const { texts } = this.language;
    const { friends, blocked, sentRequests } = this.data.people;
    const request = sentRequests.find(({ username }) => username === account);
    return html`<section>
      ${
        friends.includes(account)
          ? html`<button class="button" ?disabled=${this.isBusy} @click=${() => void this.#removeFriend(account)}>
              ${texts.removeFriend}
            </button>`
          : request === undefined
            ? this.actionButton('person', texts.addFriend, () => this.live?.people.request(account))
            : this.actionButton('person', texts.withdraw, () => this.live?.people.reject(request.id))
      }
      ${
        blocked.includes(account)
          ? this.actionButton('person', texts.unblock, () => this.live?.chat.unblock(account))
          : html`<button class="button danger" ?disabled=${this.isBusy} @click=${() => void this.#block(account)}>
              ${texts.block}
            </button>`
      }
      ${this.errorAt('person')}
    </section>`;
  }

  #shared(conversation: ConversationData): TemplateResult {
    const { texts } = this.language;
    const { id, name = '', type } = conversation;
    const { canRename, canAddMembers } = permissionsIn(conversation, this.data.account);
    const order = this.#order.of(conversation, this.members?.id === id ? this.members.accounts : []);
    return html`${
        canRename
          ? html`<form @submit=${this.#onRename}>
              <label for="name">${texts.name}</label>
              <div class="row">
                <input id="name" class="field" dir="auto" required maxlength="64" .value=${name} />
                <button class="button" ?disabled=${this.isBusy}>${texts.save}</button>
              </div>
              ${this.errorAt('name')}
            </form>`
          : nothing
      }
      ${
        type === 'channel'
          ? html`<section>
              ${this.actionButton('link', texts.copyLink, () => copyText(this.#linkOf(id)))} ${this.errorAt('link')}
            </section>`
          : nothing
      }
      ${
        canAddMembers
          ? accountForm({
              id: 'member',
              label: texts.addMember,
              placeholder: texts.account,
              action: texts.add,
              isBusy: this.isBusy,
              error: this.errorAt('member'),
              onAccount: (account) => this.#addMember(account),
            })
          : nothing
      }
      <section>
        <h3 tabindex="-1">${texts.memberList}</h3>
        <ul class="list">
          ${repeat(
            order,
            (account) => account,
            (account) => this.#member(account, conversation),
          )}
        </ul>
        ${this.errorAt('members')}
        ${
          type === 'channel' && this.members?.id !== id
            ? this.actionButton('members', texts.showAllMembers, () => this.#loadMembers(id))
            : nothing
        }
      </section>`;
  }

  #member(account: string, conversation: ConversationData): TemplateResult {
    const { texts } = this.language;
    const role = roleIn(conversation, account);
    const items = this.#actions(account, conversation);
    return html`<li class="entry member">
      ${avatar(account, {
        size: 'small',
        pattern: this.clientState.config.avatars,
        isOnline: this.data.online.has(account),
      })}
      <span class="grow">
        <div class="ellipsis">${account}</div>
        ${role === 'creator' || role === 'moderator' ? html`<div class="muted">${texts[role]}</div>` : nothing}
      </span>
      ${
        items.length === 0
          ? nothing
          : html`<waggle-menu
              .client=${this.usedClient}
              .label=${texts.memberActions(account)}
              .items=${items}
            ></waggle-menu>`
      }
      ${this.errorAt(memberIdOf(account))}
    </li>`;
  }

  /** What this account may do with a member. */
  #actions(member: string, conversation: ConversationData): MenuItem[] {
    const { texts } = this.language;
    const role = roleIn(conversation, member);
    const { canAppoint, canRemove } = permissionsIn(conversation, this.data.account);
    const isModerator = role === 'moderator';
    const isDisabled = this.isBusy;
    const items: MenuItem[] = [];
    if (canAppoint && role !== 'creator') {
      const text = isModerator ? texts.removeModerator : texts.addModerator;
      items.push({ text, isDisabled, action: () => void this.#setModerator(member, !isModerator) });
    }
    if (canRemove(member)) {
      items.push({ text: texts.remove, isDisabled, isDangerous: true, action: () => void this.#removeMember(member) });
    }
    return items;
  }

  /** The member whose menu had the focus was removed. */
  protected override restoreFocus(): void {
    const heading = this.renderRoot.querySelector<HTMLElement>('h3');
    if (this.isBusy || heading === null) super.restoreFocus();
    else heading.focus();
  }

  #onRename(event: SubmitEvent): void {
    event.preventDefault();
    void this.attempt('name', async () => this.live?.chat.rename(this.conversation, this.nameField.value.trim()));
  }

  #addMember(account: string): Promise<boolean> {
    const { texts } = this.language;
    return this.attempt('member', async () => this.live?.chat.addMember(this.conversation, account), {
      accounts: [account],
      texts: {
        conflict: texts.memberAlready(account),
        forbidden: texts.hasLeft(account),
        'too-large': texts.tooManyMembers,
      },
    });
  }

  async #setModerator(account: string, isModerator: boolean): Promise<void> {
    const { texts } = this.language;
    const { conversation: id } = this;
    const isDone = await this.attempt(memberIdOf(account), async () =>
      isModerator ? this.live?.chat.addModerator(id, account) : this.live?.chat.removeModerator(id, account),
    );
    if (!isDone) return;
    const text = isModerator ? texts.moderatorAdded(account) : texts.moderatorRemoved(account);
    this.offerUndo(text, () => void this.#setModerator(account, !isModerator));
  }

  async #removeMember(account: string): Promise<void> {
    const { texts } = this.language;
    const { conversation: id } = this;
    if (!(await this.confirmation.ask(texts.removeMemberQuestion(account), texts.remove))) return;
    const isDone = await this.attempt(memberIdOf(account), async () => this.live?.chat.removeMember(id, account));
    if (isDone) this.#order.remove(account);
    this.requestUpdate();
  }

  async #removeFriend(account: string): Promise<void> {
    const { texts } = this.language;
    if (!(await this.confirmation.ask(texts.removeFriendQuestion(account), texts.removeFriend))) return;
    await this.attempt('person', async () => this.live?.chat.removeFriendship(account));
  }

  async #block(account: string): Promise<void> {
    const { texts } = this.language;
    if (!(await this.confirmation.ask(texts.blockQuestion(account), texts.block))) return;
    await this.attempt('person', async () => this.live?.chat.block(account));
  }

  async #leave({ id, type }: ConversationData): Promise<void> {
    const { texts } = this.language;
    const isDm = type === 'dm';
    const question = isDm ? texts.hideDmQuestion : texts.leaveQuestion;
    if (!(await this.confirmation.ask(question, isDm ? texts.hideDm : texts.leave))) return;
    const isDone = await this.attempt('leave', async () => this.live?.conversations.leave(id));
    if (isDone) this.emit('conversation-left', { id });
  }

  async #loadMembers(id: string): Promise<void> {
    const accounts: string[] = [];
    for await (const account of this.live?.chat.api.members(id) ?? []) {
      accounts.push(account);
      if (accounts.length >= maxMembers) break;
    }
    this.members = { id, accounts };
  }

  #linkOf(id: string): string {
    return `${this.usedClient.url}/app/#/${id}`;
  }
}

function memberIdOf(account: string): string {
  return `member-${account}`;
}
