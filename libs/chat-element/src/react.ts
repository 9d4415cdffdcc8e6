import { createComponent, type EventName, type Options, type ReactWebComponent } from '@lit/react';
import * as React from 'react';
import './jsx';
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

const never = () => () => undefined;

/**
 * Makes a component whose tag has `defer-hydration` on the server and until it is hydrated: a tag in the page is an
 * element as soon as the module is loaded, but React sets its properties later.
 */
function component<Element extends HTMLElement, Events extends Record<string, EventName>>(
  options: Omit<Options<Element, Events>, 'react'>,
): ReactWebComponent<Element, Events> {
  const Component: React.ElementType = createComponent({ react: React, ...options });
  const Hydrated = React.forwardRef<Element, object>(function Hydrated(props, ref) {
    const isHydrating = React.useSyncExternalStore(
      never,
      () => false,
      () => true,
    );
    return React.createElement(Component, { ...props, ref, 'defer-hydration': isHydrating ? '' : undefined });
  });
  Hydrated.displayName = options.elementClass.name;
  return Hydrated as ReactWebComponent<Element, Events>;
}

const onMessageSent = eventName<{ text: string }>('message-sent');
const onLinkRequested = eventName<{ href: string; account: string | undefined; community: string | undefined }>(
  'link-requested',
);

/** The whole client. */
export const WaggleChat = component({
  tagName: 'waggle-chat',
  elementClass: ChatElement,
  events: {
    onConversationSelected: eventName<{ id: string | undefined }>('conversation-selected'),
    onUnreadChanged: eventName<{ count: number }>('unread-changed'),
    onPanesChanged: eventName<{ panes: readonly string[] }>('panes-changed'),
    onMessageSent,
    onLinkRequested,
  },
});

export const WaggleConversationList = component({
  tagName: 'waggle-conversation-list',
  elementClass: ConversationListElement,
  events: {
    onConversationSelected: eventName<{ id: string }>('conversation-selected'),
    onNewRequested: eventName<null>('new-requested'),
  },
});

export const WaggleConversation = component({
  tagName: 'waggle-conversation',
  elementClass: ConversationElement,
  events: {
    onBackRequested: eventName<null>('back-requested'),
    onDetailsRequested: eventName<null>('details-requested'),
    onMessageSent,
    onLinkRequested,
  },
});

export const WaggleComposer = component({
  tagName: 'waggle-composer',
  elementClass: ComposerElement,
  events: { onMessageSent },
});

export const WaggleSignIn = component({ tagName: 'waggle-sign-in', elementClass: SignInElement, events: {} });

export { type ChatResult, type ConversationResult, useChat, useConversation, useUnread } from './react-hooks';
