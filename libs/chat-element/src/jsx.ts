import type * as React from 'react';

/** What React 19 sets on an element: its properties, and listeners such as `onunread-changed`. */
type Tag<
  Name extends keyof HTMLElementTagNameMap,
  Property extends keyof HTMLElementTagNameMap[Name],
  Event extends keyof HTMLElementEventMap = never,
> = React.DetailedHTMLProps<React.HTMLAttributes<HTMLElementTagNameMap[Name]>, HTMLElementTagNameMap[Name]> &
  Partial<Pick<HTMLElementTagNameMap[Name], Property>> & {
    [Type in Event as `on${Type}`]?: (event: HTMLElementEventMap[Type]) => void;
  };

type Shared = 'server' | 'theme' | 'client';
type OfConversation = 'back-requested' | 'details-requested' | 'link-requested' | 'message-sent';

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- React declares the types of tags in a namespace.
  namespace JSX {
    interface IntrinsicElements {
      'waggle-chat': Tag<
        'waggle-chat',
        Shared | 'conversation' | 'name' | 'logo' | 'panes',
        OfConversation | 'conversation-selected' | 'unread-changed' | 'panes-changed'
      >;
      'waggle-composer': Tag<'waggle-composer', Shared | 'conversation', 'message-sent'>;
      'waggle-conversation': Tag<
        'waggle-conversation',
        Shared | 'conversation' | 'canGoBack' | 'showsDetails',
        OfConversation
      >;
      'waggle-conversation-list': Tag<
        'waggle-conversation-list',
        Shared | 'selected' | 'canBegin',
        'conversation-selected' | 'new-requested'
      >;
      'waggle-sign-in': Tag<'waggle-sign-in', Shared | 'name' | 'logo'>;
    }
  }
}
