import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { defineElement } from '../elements/define-element';
import type { Texts } from '../i18n/en';
import { accountForm } from '../elements/account-form';
import { ActionElement } from '../elements/action-element';
import { copyText } from '../elements/copy-text';
import '../elements/waggle-confirm';
import type { WaggleConfirm } from '../elements/waggle-confirm';
import '../elements/waggle-menu';
import type { MenuItem } from '../elements/waggle-menu';
import { isUnusedEscape, useKey } from '../elements/page-keys';
import { profileUrl } from '../text/profile-url';
import type { ConversationData } from '../store/chat-data';
import { avatar, avatarStyles } from '../theme/avatar';
import { icon, type IconName } from '../theme/icons';
import { panelStyles } from '../theme/panel';
import { otherAccount, titleOf } from './naming';
import { ChannelMembers } from './channel-members';
import { MemberOrder } from './member-order';
import { permissionsIn, roleIn } from './permissions';

/** How many members are listed at first. */
const fewMembers = 8;

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
      :host {
        gap: 16px;
      }

      .name {
        display: flex;
        align-items: center;
        max-width: 100%;
      }

      /* The title stays in the middle. */
      .name:has(.icon-button) {
        padding-inline-start: var(--_target);
      }

      .name .icon-button {
        margin-block: -8px;
      }

      .summary form {
        justify-self: stretch;
      }

      .add {
        color: var(--_accent-text);
        font-weight: 600;
      }

      .add > svg {
        border-radius: 50%;
        background: var(--_selected);
      }

      .link svg:last-child {
        margin-inline-end: -6px;
      }

      /* Below the text of the link: beside an icon and a gap. */
      .link + .muted {
        padding-inline-start: 44px;
      }
    `,
  ];

  /** Id of the conversation. */
  @property() conversation = '';

  /** The field that is shown in the place of its button. */
  @state() private editing: 'name' | 'member' | undefined;
  @state() private showsAll = false;

  readonly #members = new ChannelMembers(this);
  readonly #order = new MemberOrder();
  @query('#name') private readonly nameField!: HTMLInputElement;
  @query('waggle-confirm') private readonly confirmation!: WaggleConfirm;

  protected override willUpdate(changed?: PropertyValues<this>): void {
    super.willUpdate();
    this.#members.loadFew(this.data.conversations.get(this.conversation), this.live?.chat.api);
    if (changed?.has('conversation') !== true) return;
    this.editing = undefined;
    this.showsAll = false;
    this.failure = undefined;
    this.outcome = undefined;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { language, data } = this;
    const conversation = data.conversations.get(this.conversation);
    if (conversation === undefined) return nothing;
    const { texts } = language;
    const { type } = conversation;
    const title = titleOf(conversation, data.account, language);
    const name = type === 'dm' ? otherAccount(conversation, data.account) : title;
    const { avatars } = this.clientState.config;
    return html`<div class="summary">
        ${avatar(name, { size: 'large', kind: type, pattern: avatars })} ${this.#title(title, conversation)}
        ${type === 'dm' && data.online.has(name) ? html`<span class="muted">${texts.online}</span>` : nothing}
      </div>
      ${type === 'dm' ? this.#person(name, conversation) : this.#shared(conversation)} ${this.outcomeNotice()}
      <waggle-confirm .client=${this.usedClient}></waggle-confirm>`;
  }

  #title(title: string, conversation: ConversationData): TemplateResult {
    const { texts } = this.language;
    const { canRename } = permissionsIn(conversation, this.data.account);
    if (canRename && this.editing === 'name') {
      return html`<form @submit=${this.#onRename} @keydown=${this.#onNameKey}>
        <div class="row">
          <input
            id="name"
            class="field"
            aria-label=${texts.name}
            dir="auto"
            required
            maxlength="64"
            .value=${conversation.name ?? ''}
          />
          <button class="icon-button" aria-label=${texts.save} title=${texts.save} ?disabled=${this.isBusy}>
            ${icon('check')}
          </button>
          <button
            class="icon-button"
            type="button"
            aria-label=${texts.cancel}
            title=${texts.cancel}
            @click=${this.#close}
          >
            ${icon('close')}
          </button>
        </div>
        ${this.errorAt('name')}
      </form>`;
    }
    return html`<div class="name">
      <h2><bdi>${title}</bdi></h2>
      ${
        canRename
          ? html`<button
              id="edit-name"
              class="icon-button"
              aria-label=${texts.rename}
              title=${texts.rename}
              @click=${() => {
                this.#edit('name');
              }}
            >
              ${icon('edit')}
            </button>`
          : nothing
      }
    </div>`;
  }

  #person(account: string, conversation: ConversationData): TemplateResult {
    const { texts } = this.language;
    const { blocked } = this.data.people;
    const profile = profileUrl(this.clientState.config.profiles, account);
    return html`<section class="list">
        ${
          profile === undefined
            ? nothing
            : html`<a class="entry" href=${profile} target="_blank" rel="noopener">
                ${icon('external')} ${texts.profileOnHive}
              </a>`
        }
        ${this.#friendAction(account)} ${this.#action('hide', texts.hideDm, () => void this.#leave(conversation))}
        ${this.errorAt('leave')}
      </section>
      <section class="list apart">
        ${
          blocked.includes(account)
            ? this.#action('block', texts.unblock, () => void this.#unblock(account))
            : this.#action('block', texts.blockAccount(account), () => void this.#block(account), 'danger')
        }
        ${this.errorAt('person')}
      </section>`;
  }

  /** The button for a friendship with the account: end it, request it, or withdraw the request. */
  #friendAction(account: string): TemplateResult {
    const { texts } = this.language;
    const { friends, sentRequests } = this.data.people;
    if (friends.includes(account))
      return this.#action('removePerson', texts.removeFriend, () => void this.#removeFriend(account));
    const request = sentRequests.find(({ username }) => username === account);
    return request === undefined
      ? this.#action('addPerson', texts.addFriend, () => void this.#addFriend(account))
      : this.#action('removePerson', texts.withdraw, () => void this.#withdraw(request.id));
  }

  #shared(conversation: ConversationData): TemplateResult {
    const { texts, formats } = this.language;
    const { id, type } = conversation;
    const { canAddMembers } = permissionsIn(conversation, this.data.account);
    const order = this.#order.of(conversation, this.#members.of(id));
    const shown = this.showsAll ? order : order.slice(0, fewMembers);
    const isLoaded = this.#members.areKnown(conversation);
    const isPartial = this.#members.arePartial(conversation);
    return html`${type === 'channel' ? this.#link(id) : nothing}
      <section>
        <h3 class="heading" tabindex="-1">
          ${texts.memberList} · ${formats.number(order.length)}${isPartial ? '+' : ''}
        </h3>
        ${
          canAddMembers && this.editing === 'member'
            ? accountForm({
                id: 'member',
                label: texts.addMember,
                placeholder: texts.account,
                action: texts.add,
                isBusy: this.isBusy,
                error: this.errorAt('member'),
                onAccount: (account) => this.#addMember(account),
                cancel: { label: texts.cancel, onCancel: this.#close },
              })
            : nothing
        }
        <div class="list">
          ${
            canAddMembers && this.editing !== 'member'
              ? this.#action(
                  'add',
                  texts.addMember,
                  () => {
                    this.#edit('member');
                  },
                  'add',
                )
              : nothing
          }
          <ul class="list">
            ${repeat(
              shown,
              (account) => account,
              (account) => this.#member(account, conversation),
            )}
          </ul>
        </div>
        ${this.errorAt('members')}
        ${
          shown.length < order.length || isPartial
            ? this.showAllButton(isLoaded ? order.length : undefined, () => void this.#showAll(id, isLoaded))
            : nothing
        }
      </section>
      <section class="list apart">
        ${this.#action('leave', leaveText(conversation, texts), () => void this.#leave(conversation), 'danger')}
        ${this.errorAt('leave')}
      </section>`;
  }

  /** A row that does something. */
  #action(name: IconName, text: string, onClick: () => void, kind?: 'add' | 'danger'): TemplateResult {
    return html`<button
      id=${kind === 'add' ? 'edit-member' : nothing}
      class="entry ${kind ?? ''}"
      ?disabled=${this.isBusy}
      @click=${onClick}
    >
      ${icon(name)} ${text}
    </button>`;
  }

  #link(id: string): TemplateResult {
    const { texts } = this.language;
    return html`<section class="list">
      <button
        class="entry link"
        title=${texts.copyLink}
        ?disabled=${this.isBusy}
        @click=${() => void this.#copyLink(id)}
      >
        ${icon('link')}
        <span class="grow">
          <div class="address ellipsis" dir="ltr">${this.#linkOf(id).replace(/^https?:\/\//, '')}</div>
          <div class="muted">${texts.inviteLink}</div>
        </span>
        <span class="visually-hidden">${texts.copyLink}</span>
        ${icon(this.outcome?.text === texts.copied ? 'check' : 'copy')}
      </button>
      <p class="muted">${texts.createChannelHint}</p>
      ${this.errorAt('link')}
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
      <span class="grow ellipsis">${account}</span>
      ${role === 'creator' || role === 'moderator' ? html`<span class="muted">${texts[role]}</span>` : nothing}
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

  /** Shows a field in the place of its button. */
  #edit(field: 'name' | 'member'): void {
    this.editing = field;
    this.failure = undefined;
    this.#focus(field);
  }

  readonly #close = (): void => {
    const { editing } = this;
    this.editing = undefined;
    this.#focus(`edit-${editing}`);
  };

  #focus(id: string): void {
    void this.updateComplete.then(() => this.shadowRoot?.getElementById(id)?.focus());
  }

  #onNameKey(event: KeyboardEvent): void {
    if (!isUnusedEscape(event)) return;
    useKey(event);
    this.#close();
  }

  async #onRename(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { conversation: id } = this;
    const name = this.nameField.value.trim();
    const isDone = await this.attempt('name', async () => this.live?.chat.rename(id, name));
    if (!isDone || id !== this.conversation) return;
    this.#close();
    this.report(this.language.texts.saved);
  }

  async #copyLink(id: string): Promise<void> {
    if (await this.attempt('link', () => copyText(this.#linkOf(id)))) this.report(this.language.texts.copied);
  }

  async #showAll(id: string, isLoaded: boolean): Promise<void> {
    if (isLoaded || (await this.attempt('members', () => this.#members.load(id, this.live?.chat.api))))
      this.showsAll = true;
  }

  async #addMember(account: string): Promise<boolean> {
    const { texts } = this.language;
    const isDone = await this.attempt('member', async () => this.live?.chat.addMember(this.conversation, account), {
      accounts: [account],
      texts: {
        conflict: texts.memberAlready(account),
        forbidden: texts.hasLeft(account),
        'too-large': texts.tooManyMembers,
      },
    });
    if (isDone) this.report(texts.conversationChanges['member-added'](this.data.account, account));
    return isDone;
  }

  async #setModerator(account: string, isModerator: boolean): Promise<void> {
    const { texts } = this.language;
    const { conversation: id } = this;
    const isDone = await this.attempt(memberIdOf(account), async () =>
      isModerator ? this.live?.chat.addModerator(id, account) : this.live?.chat.removeModerator(id, account),
    );
    if (!isDone) return;
    const text = isModerator ? texts.moderatorAdded(account) : texts.moderatorRemoved(account);
    this.report(text, () => void this.#setModerator(account, !isModerator));
  }

  async #removeMember(account: string): Promise<void> {
    const { texts } = this.language;
    const { conversation: id } = this;
    const hint = texts.removeMemberHint;
    if (!(await this.confirmation.ask(texts.removeMemberQuestion(account), texts.remove, { hint }))) return;
    const isDone = await this.attempt(memberIdOf(account), async () => this.live?.chat.removeMember(id, account));
    if (isDone) this.#order.remove(account);
    this.requestUpdate();
  }

  async #addFriend(account: string): Promise<void> {
    await this.attempt('person', async () => this.live?.people.request(account));
  }

  async #withdraw(requestId: string): Promise<void> {
    await this.attempt('person', async () => this.live?.people.reject(requestId));
  }

  async #unblock(account: string): Promise<void> {
    await this.attempt('person', async () => this.live?.chat.unblock(account));
  }

  async #removeFriend(account: string): Promise<void> {
    const { texts } = this.language;
    if (!(await this.confirmation.ask(texts.removeFriendQuestion(account), texts.removeFriend))) return;
    await this.attempt('person', async () => this.live?.chat.removeFriendship(account));
  }

  async #block(account: string): Promise<void> {
    const { texts } = this.language;
    const isFriend = this.data.people.friends.includes(account);
    const hint = `${texts.blockHint} ${isFriend ? texts.blockEndsFriendship : ''}`;
    if (!(await this.confirmation.ask(texts.blockQuestion(account), texts.block, { hint }))) return;
    if (await this.attempt('person', async () => this.live?.chat.block(account)))
      this.report(texts.accountBlocked(account));
  }

  async #leave(conversation: ConversationData): Promise<void> {
    const { texts } = this.language;
    const { id, type } = conversation;
    const isDm = type === 'dm';
    const title = titleOf(conversation, this.data.account, this.language);
    const question = isDm ? texts.hideDmQuestion : texts.leaveQuestion(title);
    const action = isDm ? texts.hideDm : leaveText(conversation, texts);
    const hint = isDm ? texts.hideDmHint : texts.leaveHint[type];
    if (!(await this.confirmation.ask(question, action, { hint, isDangerous: !isDm }))) return;
    const isDone = await this.attempt('leave', async () => this.live?.conversations.leave(id));
    if (isDone) this.emit('conversation-left', { id });
  }

  #linkOf(id: string): string {
    return `${this.usedClient.url}/app/#/${id}`;
  }
}

function memberIdOf(account: string): string {
  return `member-${account}`;
}

function leaveText({ type }: ConversationData, { leave }: Texts): string {
  return type === 'channel' ? leave.channel : leave.group;
}
