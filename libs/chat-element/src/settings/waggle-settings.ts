import type { SessionInfo } from '@waggle/client/browser';
import { css, html, nothing, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { appearanceChoices } from '../client/appearance';
import { defineElement } from '../elements/define-element';
import { ActionElement } from '../elements/action-element';
import '../elements/waggle-confirm';
import type { WaggleConfirm } from '../elements/waggle-confirm';
import { profileUrl } from '../text/profile-url';
import { avatar, avatarStyles } from '../theme/avatar';
import { icon } from '../theme/icons';
import { panelStyles } from '../theme/panel';

/** How many sessions are listed at first. */
const fewSessions = 5;

/** Settings and sessions of the account, and signing out. */
@defineElement('waggle-settings')
export class WaggleSettings extends ActionElement {
  static override styles = [
    ...ActionElement.styles,
    avatarStyles,
    panelStyles,
    css`
      .row {
        flex-wrap: wrap;
      }

      .row .button {
        flex: auto;
      }

      :host {
        padding-block-start: 4px;
      }

      /* Above the controls at the end of the rows. */
      .entry > svg {
        margin-inline-end: -6px;
      }

      .choice {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
        min-height: var(--_target);
      }

      /* The controls begin in one line, unless the text is too large for two columns. */
      .choice > span {
        flex: 1 1 calc(3.75 * var(--_rem));
        overflow-wrap: break-word;
      }

      .choice .segments {
        flex: 0 1 calc(12.5 * var(--_rem));
      }

      .choice .segment {
        padding-inline: 4px;
        font-size: var(--_text-sm);
      }

      .switch .muted {
        display: block;
      }

      .unavailable :is(input, .title) {
        opacity: 0.6;
      }
    `,
  ];

  @state() private sessions: readonly SessionInfo[] | undefined;
  @state() private showsAll = false;
  @query('waggle-confirm') private readonly confirmation!: WaggleConfirm;

  protected override firstUpdated(): void {
    // Not when it is connected: an element that is upgraded in the page has its client from its first update on.
    void this.#loadSessions();
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const { account, settings } = this.data;
    const { notifications } = this.usedClient;
    const { avatars, profiles } = this.clientState.config;
    return html`<a class="entry" href=${profileUrl(profiles, account) ?? nothing} target="_blank" rel="noopener">
        ${avatar(account, { pattern: avatars })}
        <h2 class="grow ellipsis">${account}</h2>
        <span class="muted">${texts.profile}</span> ${icon('external', 16)}
      </a>
      <section>
        <h2 class="heading">${texts.appearance}</h2>
        ${this.#choice('theme')} ${this.#choice('textSize')} ${this.#choice('density')}
      </section>
      <section>
        <h2 class="heading">${texts.privacy}</h2>
        <label class="switch">
          <span>${texts.onlyFromFriends} <span class="muted">${texts.onlyFromFriendsHint}</span></span>
          <input
            id="only-from-friends"
            type="checkbox"
            role="switch"
            name="only-from-friends"
            .checked=${settings.dm.only_from_friends}
            ?disabled=${this.isBusy || this.clientState.phase !== 'ready'}
            @change=${this.#onOnlyFromFriends}
          />
        </label>
        ${this.errorAt('only-from-friends')}
        ${
          notifications.isSupported
            ? html`<label class="switch ${notifications.isDenied ? 'unavailable' : ''}">
                <span>
                  <span class="title">${texts.desktopNotifications}</span>
                  ${notifications.isDenied ? html`<span class="muted">${texts.notificationsDenied}</span>` : nothing}
                </span>
                <input
                  type="checkbox"
                  role="switch"
                  name="notifications"
                  .checked=${notifications.isOn}
                  ?disabled=${notifications.isDenied}
                  @change=${this.#onNotifications}
                />
              </label>`
            : nothing
        }
      </section>
      <section>
        <h2 class="heading">${texts.sessions}</h2>
        <div class="row">
          ${this.actionButton('sign-out', texts.signOut, () => this.usedClient.signOut())}
          ${
            (this.sessions?.length ?? 0) > 1
              ? html`<button class="button danger" @click=${() => void this.#signOutEverywhere()}>
                  ${texts.signOutEverywhere}
                </button>`
              : nothing
          }
        </div>
        ${this.errorAt('sign-out')} ${this.errorAt('sessions')}
        ${
          this.sessions === undefined
            ? this.failure?.at === 'sessions'
              ? html`<button class="button" @click=${() => void this.#loadSessions()}>${texts.retry}</button>`
              : html`<p class="muted">${texts.loading}</p>`
            : this.#sessionList(this.sessions)
        }
      </section>
      <waggle-confirm .client=${this.usedClient}></waggle-confirm>`;
  }

  #choice(setting: keyof typeof appearanceChoices): TemplateResult {
    const { texts } = this.language;
    const chosen = this.clientState.appearance[setting];
    return html`<div class="choice" role="radiogroup" aria-labelledby=${setting}>
      <span id=${setting}>${texts[setting]}</span>
      <div class="segments">
        ${appearanceChoices[setting].map(
          (choice) =>
            html`<label class="segment">
              <input
                type="radio"
                name=${setting}
                .checked=${choice === chosen}
                @change=${() => {
                  this.usedClient.changeAppearance({ [setting]: choice });
                }}
              />
              ${texts.choices[choice]}
            </label>`,
        )}
      </div>
    </div>`;
  }

  #sessionList(sessions: readonly SessionInfo[]): TemplateResult {
    const currentFirst = [...sessions].sort((a, b) => Number(b.current) - Number(a.current));
    const shown = this.showsAll ? currentFirst : currentFirst.slice(0, fewSessions);
    return html`<ul class="list">
        ${shown.map((session) => this.#session(session))}
      </ul>
      ${
        shown.length < sessions.length
          ? this.showAllButton(sessions.length, () => {
              this.showsAll = true;
            })
          : nothing
      }`;
  }

  #session({ id, browser, ip, created_at, renewed_at, current }: SessionInfo): TemplateResult {
    const { texts, formats } = this.language;
    const moment = (time: string) => formats.moment(new Date(time));
    const details = [
      texts.signedInAt(moment(created_at)),
      renewed_at === undefined || current ? undefined : texts.lastUsedAt(moment(renewed_at)),
      ip,
    ];
    // The first number of a version tells browsers apart.
    const name = browser?.replace(/(\d)\.[\d.]+$/, '$1') ?? texts.unknownBrowser;
    return html`<li class="entry">
      <span class="grow">
        <div>${name} ${current ? html`<strong class="muted">(${texts.thisSession})</strong>` : nothing}</div>
        <div class="muted">${details.filter((detail) => typeof detail === 'string').join(' · ')}</div>
      </span>
      ${
        current
          ? nothing
          : html`<button
              class="button"
              aria-label="${texts.endSession}: ${name}"
              ?disabled=${this.isBusy}
              @click=${() => void this.#revoke(id)}
            >
              ${texts.endSession}
            </button>`
      }
      ${this.errorAt(`session-${id}`)}
    </li>`;
  }

  async #loadSessions(): Promise<void> {
    await this.attempt('sessions', async () => {
      this.sessions = await this.live?.chat.api.sessions();
    });
  }

  async #revoke(id: string): Promise<void> {
    if (await this.attempt(`session-${id}`, async () => this.live?.chat.api.revokeSession(id)))
      await this.#loadSessions();
  }

  async #signOutEverywhere(): Promise<void> {
    const { texts } = this.language;
    const hint = texts.signOutEverywhereHint;
    if (!(await this.confirmation.ask(texts.signOutEverywhereQuestion, texts.signOutEverywhere, { hint }))) return;
    await this.attempt('sign-out', async () => {
      const others = (await this.live?.chat.api.sessions())?.filter(({ current }) => !current) ?? [];
      for (const { id } of others) await this.live?.chat.api.revokeSession(id);
      await this.usedClient.signOut();
    });
  }

  #onOnlyFromFriends(event: Event): void {
    if (!(event.currentTarget instanceof HTMLInputElement)) return;
    const field = event.currentTarget;
    const settings = { dm: { only_from_friends: field.checked } };
    void this.attempt('only-from-friends', async () => this.live?.changeSettings(settings)).then((isDone) => {
      if (!isDone) field.checked = !field.checked;
    });
  }

  #onNotifications(event: Event): void {
    if (!(event.currentTarget instanceof HTMLInputElement)) return;
    const field = event.currentTarget;
    void this.usedClient.notifications.set(field.checked).then(() => {
      field.checked = this.usedClient.notifications.isOn;
      this.requestUpdate();
    });
  }
}
