// Names of panes. The chat keeps a list of its open panes, such as ['search:', 'conversation:<id>', 'details']. The
// name of a pane is its kind and, for some kinds, a colon and an argument.

/** A conversation is open; its id follows. */
export const conversationPrefix = 'conversation:';

/** The form for a new conversation; the account to write to follows, if there is one. */
export const newPrefix = 'new:';

/** What follows `newPrefix` if channels are shown instead. */
export const channelsArgument = '#';

/** The search for messages; the id of the conversation follows, or nothing to search all. */
export const searchPrefix = 'search:';

/** Panes that cover the list of conversations. */
const views = ['people', 'new', 'settings', 'search', 'mentions'] as const;

export type View = (typeof views)[number];

export type PaneKind = View | 'conversation' | 'details';

type Panes = readonly string[];

export function viewOf(pane: string): View | undefined {
  return views.find((view) => isKind(pane, view));
}

/** Returns what follows the prefix in the name of an open pane; undefined if no such pane is open. */
export function argumentOf(panes: Panes, prefix: string): string | undefined {
  return panes.find((pane) => pane.startsWith(prefix))?.slice(prefix.length);
}

/** Opens a conversation, in place of another one and of the form for a new one. */
export function withConversation(panes: Panes, id: string): Panes {
  return [...withoutPane(withoutPane(panes, 'conversation'), 'new'), conversationPrefix + id];
}

/** Closes the pane of a kind. The details of a conversation close with it. */
export function withoutPane(panes: Panes, kind: PaneKind): Panes {
  return panes.filter((pane) => !isKind(pane, kind) && !(kind === 'conversation' && pane === 'details'));
}

function isKind(pane: string, kind: PaneKind): boolean {
  return pane === kind || pane.startsWith(`${kind}:`);
}
