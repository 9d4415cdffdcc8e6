import { textOf } from '@waggle/client/browser';
import { html, nothing, type TemplateResult } from 'lit';
import { copyText } from '../elements/copy-text';
import '../elements/waggle-menu';
import type { MenuItem } from '../elements/waggle-menu';
import type { Texts } from '../i18n/en';
import type { ChatMessage } from '../store/chat-data';
import { icon, type IconName } from '../theme/icons';

/** What the user can do with a message; undefined if it is not allowed. */
export interface MessageActions {
  reply: ((message: ChatMessage) => void) | undefined;
  edit: ((message: ChatMessage) => void) | undefined;
  react: ((id: string, emoji: string, added: boolean) => void) | undefined;
  /** Lets the user choose any emoji. */
  reactWithAny: (id: string) => void;
  pin: ((id: string, pinned: boolean) => void) | undefined;
  markUnread: ((message: ChatMessage) => void) | undefined;
  delete: ((id: string) => void) | undefined;
  openMenu: (id: string, menu: MenuKind) => void;
}

/** The emoji to choose from, or the less frequent actions. */
export type MenuKind = 'react' | 'more';

/** Frequent emoji, fully qualified as the service requires. */
const frequentEmoji = ['👍', '❤️', '😂', '😮', '🎉'];

interface ActionsOptions {
  actions: MessageActions;
  /** The menu that exists for this message: a menu renders with each change of the state. */
  menu: MenuKind | undefined;
  isPinned: boolean;
  texts: Texts;
}

/** The buttons beside or below a message. */
export function actionsTemplate(message: ChatMessage, options: ActionsOptions): TemplateResult {
  const { actions, texts } = options;
  const { react, reply, edit } = actions;
  return html`<div class="actions">
    ${react === undefined ? nothing : menuButton('react', message, options)}
    ${
      reply === undefined
        ? nothing
        : actionButton('reply', texts.reply, () => {
            reply(message);
          })
    }
    ${
      edit === undefined
        ? nothing
        : actionButton('edit', texts.edit, () => {
            edit(message);
          })
    }
    ${menuButton('more', message, options)}
  </div>`;
}

/** A button that opens a menu, which is created with the first click. */
function menuButton(kind: MenuKind, message: ChatMessage, options: ActionsOptions): TemplateResult {
  const { actions, menu, texts } = options;
  const label = kind === 'react' ? texts.react : texts.moreActions;
  if (menu !== kind) {
    return actionButton(kind, label, () => {
      actions.openMenu(message.id, kind);
    });
  }
  return html`<waggle-menu
    ?in-row=${kind === 'react'}
    icon=${kind}
    label=${label}
    .items=${kind === 'react' ? emojiItems(message, options) : moreItems(message, options)}
  ></waggle-menu>`;
}

function emojiItems({ id, reactions = [] }: ChatMessage, { actions, texts }: ActionsOptions): MenuItem[] {
  const frequent = frequentEmoji.map((text): MenuItem => {
    const isChecked = reactions.some(({ emoji, own }) => emoji === text && own);
    return { text, isChecked, action: () => actions.react?.(id, text, !isChecked) };
  });
  const any: MenuItem = {
    text: texts.otherEmoji,
    icon: 'add',
    action: () => {
      actions.reactWithAny(id);
    },
  };
  return [...frequent, any];
}

function moreItems(message: ChatMessage, { actions, isPinned, texts }: ActionsOptions): MenuItem[] {
  const { id } = message;
  const { pin, markUnread, delete: remove } = actions;
  const items: (MenuItem | undefined)[] = [
    { text: texts.copy, action: () => void copyText(textOf(message)) },
    pin && {
      text: isPinned ? texts.unpin : texts.pin,
      action: () => {
        pin(id, !isPinned);
      },
    },
    markUnread && {
      text: texts.markUnread,
      action: () => {
        markUnread(message);
      },
    },
    remove && {
      text: texts.deleteMessage,
      isDangerous: true,
      action: () => {
        remove(id);
      },
    },
  ];
  return items.filter((item) => item !== undefined);
}

function actionButton(name: IconName, label: string, onClick: () => void): TemplateResult {
  return html`<button class="icon-button" aria-label=${label} title=${label} @click=${onClick}>
    ${icon(name, 18)}
  </button>`;
}
