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
  /** Shows the emoji to choose from. */
  openReactions: (id: string) => void;
  delete: ((id: string) => void) | undefined;
}

/** Frequent emoji, fully qualified as the service requires. */
const frequentEmoji = ['👍', '❤️', '😂', '😮', '😢', '🎉'];

/** The buttons beside or below a message. @param isReacting whether the menu of emoji belongs to this message */
export function actionsTemplate(
  message: ChatMessage,
  actions: MessageActions,
  isReacting: boolean,
  texts: Texts,
): TemplateResult {
  const { react, reply, edit, delete: remove } = actions;
  return html`<div class="actions">
    ${react === undefined ? nothing : reactButton(message, actions, isReacting, texts)}
    ${
      reply === undefined
        ? nothing
        : actionButton('reply', texts.reply, () => {
            reply(message);
          })
    }
    ${actionButton('copy', texts.copy, () => void copyText(message.content))}
    ${
      edit === undefined
        ? nothing
        : actionButton('edit', texts.edit, () => {
            edit(message);
          })
    }
    ${
      remove === undefined
        ? nothing
        : actionButton('trash', texts.deleteMessage, () => {
            remove(message.id);
          })
    }
  </div>`;
}

/**
 * The button that shows the emoji to choose from. Its menu exists for one message only: a menu renders with each change
 * of the state.
 */
function reactButton(
  { id, reactions = [] }: ChatMessage,
  { react, openReactions }: MessageActions,
  isReacting: boolean,
  texts: Texts,
): TemplateResult {
  if (!isReacting) {
    return actionButton('react', texts.react, () => {
      openReactions(id);
    });
  }
  const items = frequentEmoji.map((text): MenuItem => {
    const isChecked = reactions.some(({ emoji, own }) => emoji === text && own);
    return { text, isChecked, action: () => react?.(id, text, !isChecked) };
  });
  return html`<waggle-menu in-row icon="react" label=${texts.react} .items=${items}></waggle-menu>`;
}

function actionButton(name: IconName, label: string, onClick: () => void): TemplateResult {
  return html`<button class="icon-button" aria-label=${label} title=${label} @click=${onClick}>
    ${icon(name, 18)}
  </button>`;
}
