import './element-types';

export { ChatClient, sharedClient } from './client/chat-client';
export { type SignInMethod } from './client/sign-in-method';
export { type ClientState, type ConnectionStatus, type Phase } from './client/client-state';
export { preferredLanguage } from './i18n/texts';
export { WaggleComposer } from './composer/waggle-composer';
export { WaggleConversation } from './waggle-conversation';
export { WaggleConversationList } from './conversations/waggle-conversation-list';
export { WaggleChat } from './waggle-chat';
export { WaggleSignIn } from './sign-in/waggle-sign-in';
export { type ChatData, type ChatMessage, type ConversationData, type OutgoingText } from './store/chat-data';
