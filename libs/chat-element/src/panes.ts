/** A conversation is open. */
export const conversationPrefix = 'conversation:';

/** A new conversation is being written to the accounts that follow. */
export const newPrefix = 'new:';

/** What follows `newPrefix` if channels are shown instead. */
export const channelsArgument = '#';

/** Messages are searched, in the conversation that follows or in all. */
export const searchPrefix = 'search:';

/** What the first pane shows above the list. */
const views = ['people', 'new', 'settings', 'search', 'mentions'] as const;

export type View = (typeof views)[number];

export type PaneKind = View | 'conversation' | 'details';

type Panes = readonly string[];

export function viewOf(pane: string): View | undefined {
  return views.find((view) => isKind(pane, view));
}

/** What follows the prefix in the name of an open pane. */
export function argumentOf(panes: Panes, prefix: string): string | undefined {
  return panes.find((pane) => pane.startsWith(prefix))?.slice(prefix.length);
}

/** The panes after this conversation was opened: it replaces another one, and the form for a new one. */
export function withConversation(panes: Panes, id: string): Panes {
  return [...withoutPane(withoutPane(panes, 'conversation'), 'new'), conversationPrefix + id];
}

/** The panes after one was closed: the details of a conversation close with it. */
export function withoutPane(panes: Panes, kind: PaneKind): Panes {
  return panes.filter((pane) => !isKind(pane, kind) && !(kind === 'conversation' && pane === 'details'));
}

function isKind(pane: string, kind: PaneKind): boolean {
  return pane === kind || pane.startsWith(`${kind}:`);
}
