/** What opens above the panes. */
export type Overlay = 'question' | 'menu' | 'palette' | 'shortcuts' | 'revisions' | 'image' | 'emoji';

const overlays: ReadonlySet<string> = new Set<Overlay>([
  'question',
  'menu',
  'palette',
  'shortcuts',
  'revisions',
  'image',
  'emoji',
]);

interface OpenPane {
  name: string;
  /** The element that opened it. */
  opener: HTMLElement | undefined;
  /** Closes an overlay. Undefined for a pane, and once the overlay has closed by itself. */
  close: (() => void) | undefined;
}

const stacks = new WeakMap<Element, PaneStack>();

/** The open panes and overlays of one chat, the topmost last. */
export class PaneStack {
  #open: readonly OpenPane[] = [];

  /** @param onChange called after each change; if panes were only closed, with the opener of the lowest one */
  constructor(
    host: Element,
    private readonly onChange: (opener: HTMLElement | undefined) => void,
  ) {
    stacks.set(host, this);
  }

  /** Such as `settings` or `conversation:<id>`. */
  get names(): readonly string[] {
    return this.#open.map(({ name }) => name);
  }

  /** Opens and closes panes until these are open. Overlays can only be closed. */
  show(names: readonly string[], opener?: HTMLElement): void {
    const known = new Map(this.#open.map((pane) => [pane.name, pane]));
    this.#set(
      names.flatMap((name) => known.get(name) ?? (overlays.has(name) ? [] : { name, opener, close: undefined })),
    );
  }

  /** @returns whether one was open */
  closeTopmost(): boolean {
    if (this.#open.length === 0) return false;
    this.#set(this.#open.slice(0, -1));
    return true;
  }

  /** @returns a function that removes it, to be called when it is closed */
  addOverlay(name: Overlay, close: () => void): () => void {
    const overlay: OpenPane = { name, opener: undefined, close };
    this.#set([...this.#open, overlay]);
    return () => {
      overlay.close = undefined;
      this.#set(this.#open.filter((pane) => pane !== overlay));
    };
  }

  #set(open: readonly OpenPane[]): void {
    const closed = this.#open.filter((pane) => !open.includes(pane));
    const opened = open.filter((pane) => !this.#open.includes(pane));
    if (closed.length === 0 && opened.length === 0) return;
    this.#open = open;
    for (const { close } of closed) close?.();
    this.onChange(opened.length === 0 ? closed[0]?.opener : undefined);
  }
}

/** Whether a pane is an overlay. */
export function isOverlay(name: string): boolean {
  return overlays.has(name);
}

/** Adds an overlay to the chat that an element is part of. @returns as of `PaneStack.addOverlay` */
export function addOverlay(element: Element, name: Overlay, close: () => void): () => void {
  return stackOf(element)?.addOverlay(name, close) ?? (() => undefined);
}

function stackOf(element: Element): PaneStack | undefined {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? (stacks.get(root.host) ?? stackOf(root.host)) : undefined;
}
