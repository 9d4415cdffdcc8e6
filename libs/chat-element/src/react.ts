import { createComponent, type EventName } from '@lit/react';
import * as React from 'react';
import {
  WaggleChat as ChatElement,
  WaggleComposer as ComposerElement,
  WaggleConversation as ConversationElement,
  WaggleConversationList as ConversationListElement,
  WaggleSignIn as SignInElement,
} from '@waggle/chat-element';

function eventName<Detail>(name: string): EventName<CustomEvent<Detail>> {
  // The type is for React only: it types the listeners.
  return name as EventName<CustomEvent<Detail>>;
}

/** The whole client. */
export const WaggleChat = createComponent({
  react: React,
  tagName: 'waggle-chat',
  elementClass: ChatElement,
  events: {
    onConversationSelected: eventName<{ id: string | undefined }>('conversation-selected'),
    onUnreadChanged: eventName<{ count: number }>('unread-changed'),
    onPanesChanged: eventName<{ panes: readonly string[] }>('panes-changed'),
  },
});

export const WaggleConversationList = createComponent({
  react: React,
  tagName: 'waggle-conversation-list',
  elementClass: ConversationListElement,
  events: {
    onConversationSelected: eventName<{ id: string }>('conversation-selected'),
    onNewRequested: eventName<null>('new-requested'),
  },
});

export const WaggleConversation = createComponent({
  react: React,
  tagName: 'waggle-conversation',
  elementClass: ConversationElement,
  events: {
    onBackRequested: eventName<null>('back-requested'),
    onDetailsRequested: eventName<null>('details-requested'),
  },
});

export const WaggleComposer = createComponent({
  react: React,
  tagName: 'waggle-composer',
  elementClass: ComposerElement,
  events: { onMessageSent: eventName<{ text: string }>('message-sent') },
});

export const WaggleSignIn = createComponent({ react: React, tagName: 'waggle-sign-in', elementClass: SignInElement });

export { type ChatResult, type ConversationResult, useChat, useConversation, useUnread } from './react-hooks';
