// Types the elements and their events in the DOM, for `createElement` and `addEventListener`.
import type { WaggleComposer } from './composer/waggle-composer';
import type { WaggleConversation } from './waggle-conversation';
import type { WaggleConversationList } from './conversations/waggle-conversation-list';
import type { WaggleChat } from './waggle-chat';
import type { WaggleSignIn } from './sign-in/waggle-sign-in';

declare global {
  interface HTMLElementTagNameMap {
    'waggle-chat': WaggleChat;
    'waggle-composer': WaggleComposer;
    'waggle-conversation': WaggleConversation;
    'waggle-conversation-list': WaggleConversationList;
    'waggle-sign-in': WaggleSignIn;
  }

  interface HTMLElementEventMap {
    'conversation-selected': CustomEvent<{ id: string | undefined }>;
    'new-requested': CustomEvent<null>;
    'unread-changed': CustomEvent<{ count: number }>;
    'panes-changed': CustomEvent<{ panes: readonly string[] }>;
    'back-requested': CustomEvent<null>;
    'details-requested': CustomEvent<null>;
    'message-sent': CustomEvent<{ text: string }>;
    'link-requested': CustomEvent<{ href: string; account: string | undefined; community: string | undefined }>;
  }
}
