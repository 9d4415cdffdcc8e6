import { css, html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { sortedConversations } from '../store/conversation-order';
import { otherAccount, titleOf } from '../conversations/naming';
import { defineElement } from '../elements/define-element';
import { DialogElement } from '../elements/dialog-element';
import { isInputMethodKey, verticalStep } from '../elements/page-keys';
import { knownPeople } from '../people/known-people';
import { avatar, avatarStyles } from '../theme/avatar';
import { icon, type IconName } from '../theme/icons';
import { matching } from '../elements/ranking';

/** What the palette offers besides conversations and accounts. */
export const paletteActions = {
  new: 'compose',
  search: 'search',
  mentions: 'mention',
  people: 'people',
  settings: 'settings',
  shortcuts: 'keyboard',
} as const;

export type PaletteAction = keyof typeof paletteActions;

/** A conversation or account to go to, or an action. */
interface Command {
  key: string;
  title: string;
  kind: string;
  picture: TemplateResult;
  run: () => void;
}

/** Maximum number of results. To see others, the user types more letters. */
const maxCommands = 12;

/**
 * A dialog that finds conversations, accounts and actions by a few letters.
 *
 * @fires conversation-selected - `detail.id` is the conversation that the user has chosen
 * @fires account-selected - `detail.account` is the account that the user has chosen
 * @fires action-selected - `detail.action` is one of `PaletteAction`
 */
@defineElement('waggle-palette')
export class WagglePalette extends DialogElement {
  static override styles = [
    ...DialogElement.styles,
    avatarStyles,
    css`
      dialog {
        width: min(calc(35 * var(--_rem)), calc(100vw - 32px));
        margin-block-start: 12vh;
        padding: 0;
        overflow: hidden;
      }

      input {
        width: 100%;
        padding: 16px 20px;
        border: 0;
        border-block-end: 1px solid var(--_border);
        background: none;
        font-size: var(--_text-lg);
      }

      input:focus-visible {
        outline: none;
      }

      ul {
        max-height: min(60vh, calc(30 * var(--_rem)));
        padding: 8px;
        overflow: auto;
      }

      li {
        display: flex;
        align-items: center;
        gap: 12px;
        min-height: var(--_target);
        padding: 4px 12px;
        border-radius: var(--_radius-sm);
        cursor: pointer;
      }

      li[aria-selected='true'] {
        background: var(--_selected);
      }

      @media (forced-colors: active) {
        li[aria-selected='true'] {
          outline: 2px solid Highlight;
          outline-offset: -2px;
        }
      }

      .picture {
        display: grid;
        place-items: center;
        width: calc(2 * var(--_rem));
      }
    `,
  ];

  @state() private text = '';
  @state() private selected = 0;
  protected readonly overlay = 'palette';

  async open(): Promise<void> {
    this.text = '';
    this.selected = 0;
    await this.openDialog();
  }

  protected override render(): TemplateResult {
    return html`<dialog
      aria-label=${this.language.texts.palette}
      @click=${this.#onBackdrop}
      @keydown=${this.onDialogKey}
    >
      ${this.isOpen ? this.#content() : nothing}
    </dialog>`;
  }

  #content(): TemplateResult {
    const { texts } = this.language;
    const commands = this.#commands();
    const selected = commands[this.selected];
    return html`<input
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant=${selected === undefined ? nothing : idOf(selected)}
        aria-label=${texts.palette}
        placeholder=${texts.paletteHint}
        autocomplete="off"
        spellcheck="false"
        autofocus
        .value=${this.text}
        @input=${this.#onInput}
        @keydown=${this.#onKey}
      />
      ${
        commands.length === 0
          ? html`<p class="empty" role="status">${texts.noMatches(this.text)}</p>`
          : html`<ul id="commands" role="listbox" aria-label=${texts.palette}>
              ${repeat(
                commands,
                ({ key }) => key,
                (command, index) => this.#item(command, index),
              )}
            </ul>`
      }`;
  }

  protected override updated(): void {
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  #item(command: Command, index: number): TemplateResult {
    return html`<li
      id=${idOf(command)}
      role="option"
      aria-selected=${index === this.selected}
      @pointermove=${() => {
        this.selected = index;
      }}
      @click=${() => {
        this.#run(command);
      }}
    >
      <span class="picture">${command.picture}</span>
      <span class="grow ellipsis"><bdi>${command.title}</bdi></span>
      <span class="muted">${command.kind}</span>
    </li>`;
  }

  /** Returns the commands that match the text: the best match first, then the most recent. */
  #commands(): Command[] {
    const wanted = this.text.trim().replace(/^@/, '');
    const all = [...this.#conversations(), ...this.#actions(), ...this.#accounts()];
    return matching(all, wanted, ({ title }) => title).slice(0, maxCommands);
  }

  #conversations(): Command[] {
    const { texts } = this.language;
    const { account, conversations } = this.data;
    return sortedConversations(conversations).map((conversation): Command => {
      const { id, type } = conversation;
      const title = titleOf(conversation, account, this.language);
      return {
        key: id,
        title,
        kind: type === 'dm' ? texts.directMessage : texts[type],
        picture: this.#avatar(type === 'dm' ? otherAccount(conversation, account) : title, type),
        run: () => {
          this.emit('conversation-selected', { id });
        },
      };
    });
  }

  /** Friends and members of groups with whom there is no conversation of two yet. */
  #accounts(): Command[] {
    const { friends, others } = knownPeople(this.data);
    return [...friends, ...others]
      .filter((name) => this.live?.conversations.findDm(name) === undefined)
      .map((name): Command => ({
        key: `@${name}`,
        title: name,
        kind: this.language.texts.writeMessageTo,
        picture: this.#avatar(name, 'dm'),
        run: () => {
          this.emit('account-selected', { account: name });
        },
      }));
  }

  #actions(): Command[] {
    const { texts } = this.language;
    const titles: Partial<Record<PaletteAction, string>> = {
      new: texts.newConversation,
      ...(this.clientState.config.search && { search: texts.searchMessages }),
      mentions: texts.mentionsTitle,
      people: texts.people,
      settings: texts.settings,
      shortcuts: texts.shortcuts,
    };
    const names = Object.keys(titles) as PaletteAction[];
    return names.map((action): Command => ({
      key: `action ${action}`,
      title: titles[action] ?? '',
      kind: '',
      picture: icon(paletteActions[action] satisfies IconName),
      run: () => {
        this.emit('action-selected', { action });
      },
    }));
  }

  #avatar(name: string, kind: 'dm' | 'group' | 'channel'): TemplateResult {
    return avatar(name, { size: 'small', pattern: this.clientState.config.avatars, kind });
  }

  #run({ run }: Command): void {
    this.close();
    run();
  }

  #onInput(event: Event): void {
    if (event.currentTarget instanceof HTMLInputElement) this.text = event.currentTarget.value;
    this.selected = 0;
  }

  #onKey(event: KeyboardEvent): void {
    if (isInputMethodKey(event)) return;
    const commands = this.#commands();
    const step = verticalStep(event);
    if (step !== 0 && commands.length > 0) {
      event.preventDefault();
      this.selected = (this.selected + step + commands.length) % commands.length;
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const command = commands[this.selected];
      if (command !== undefined) this.#run(command);
    }
  }

  #onBackdrop(event: MouseEvent): void {
    if (event.target === this.dialog) this.close();
  }
}

function idOf({ key }: Command): string {
  return `command-${key}`;
}
