import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';

/** Strokes on a grid of 24 by 24, drawn for this project. */
const strokes = {
  back: svg`<path d="M15 5l-7 7 7 7" />`,
  forward: svg`<path d="M9 5l7 7-7 7" />`,
  file: svg`<path d="M6 3h8l5 5v13H6zM14 3v5h5" />`,
  image: svg`<path d="M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15 9h.01" />`,
  close: svg`<path d="M6 6l12 12M18 6L6 18" />`,
  compose: svg`<path d="M12 4H5.5A1.5 1.5 0 004 5.5v13A1.5 1.5 0 005.5 20h13a1.5 1.5 0 001.5-1.5V12M18.5 3l2.5 2.5-8.5 8.5-3.5 1 1-3.5z" />`,
  edit: svg`<path d="M4 20h4L19 9l-4-4L4 16zM13 7l4 4" />`,
  react: svg`<circle cx="12" cy="12" r="8.5" /><path d="M8.5 14q3.5 4 7 0M9 9.5v.5M15 9.5v.5" />`,
  reply: svg`<path d="M10 6L4 12l6 6M4 12h10q6 0 6 7" />`,
  send: svg`<path d="M4 20l17-8L4 4v6.5l10 1.5-10 1.5z" fill="currentColor" />`,
  people: svg`<circle cx="9" cy="8" r="3.5" /><path d="M2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.8a3.5 3.5 0 010 6.4M18 14.5c2.2.8 3.5 2.7 3.5 5.5" />`,
  addPerson: svg`<circle cx="9.5" cy="8" r="3.5" /><path d="M3 20c0-4 3-6 6.5-6s6.5 2 6.5 6M18.5 7v6M15.5 10h6" />`,
  removePerson: svg`<circle cx="9.5" cy="8" r="3.5" /><path d="M3 20c0-4 3-6 6.5-6s6.5 2 6.5 6M15.5 10h6" />`,
  link: svg`<path d="M10 14a4 4 0 006 0l3-3a4.2 4.2 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4.2 4.2 0 006 6l1-1" />`,
  external: svg`<path d="M9 5h10v10M19 5L6 18" />`,
  chats: svg`<path d="M4 5h16v11H10l-4 4v-4H4z" />`,
  settings: svg`<circle cx="15" cy="7" r="2.5" /><circle cx="9" cy="17" r="2.5" /><path d="M3 7h9.5M17.5 7H21M3 17h3.5M11.5 17H21" />`,
  keyboard: svg`<path d="M3 6h18v12H3zM7 10h.5M12 10h.5M17 10h.5M8 14h8" />`,
  search: svg`<circle cx="11" cy="11" r="6.5" /><path d="M16 16l4.5 4.5" />`,
  up: svg`<path d="M6 15l6-6 6 6" />`,
  down: svg`<path d="M6 9l6 6 6-6" />`,
  more: svg`<path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3" />`,
  add: svg`<path d="M12 5v14M5 12h14" />`,
  block: svg`<circle cx="12" cy="12" r="8.5" /><path d="M6 6l12 12" />`,
  leave: svg`<path d="M14 4H5v16h9M10 12h10M16 8l4 4-4 4" />`,
  hide: svg`<path d="M3 12q9-12 18 0-9 12-18 0zM4 20L20 4" />`,
  copy: svg`<path d="M9 9h11v11H9zM5 15H4V4h11v1" />`,
  pin: svg`<path d="M9 3h6l-1 7 4 4H6l4-4zM12 14v7" />`,
  star: svg`<path d="M12 3.5l2.6 5.5 6 .8-4.4 4.2 1.1 6L12 17l-5.3 3 1.1-6L3.4 9.8l6-.8z" />`,
  muted: svg`<path d="M10 5.5A6 6 0 0118 11c0 4 1.500 5 1.500 5M6.500 9C6 12 4.500 16 4.500 16H16M10 19.500a2 2 0 004 0M4 3l16 18" />`,
  mention: svg`<circle cx="12" cy="12" r="4" /><path d="M16 12v1.500a2.500 2.500 0 005 0V12a9 9 0 10-3.500 7" />`,
  emoji: svg`<circle cx="12" cy="12" r="8.500" /><path d="M8.500 14q3.500 4 7 0M9 9.500v.5M15 9.500v.5" />`,
  info: svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 11v5.5M12 7.5v.5" />`,
  clock: svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 7v5l3 2" />`,
  check: svg`<path d="M5 12.5l4.5 4.5L19 7" />`,
  checks: svg`<path d="M2 12.5l4.5 4.5L15 7M11.5 16l1 1L22 7" />`,
  alert: svg`<circle cx="12" cy="12" r="9" /><path d="M12 7v6M12 16v.5" />`,
  channel: svg`<path d="M9 4L7 20M17 4l-2 16M4 9h17M3 15h17" />`,
  group: svg`<circle cx="8" cy="9" r="3" /><circle cx="16.5" cy="9" r="3" /><path d="M2.5 19c0-3.5 2.5-5 5.5-5s5.5 1.5 5.5 5M16.5 14c3 0 5 1.5 5 5" />`,
} satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof strokes;

/** Icons that point along the line: they are mirrored where it is written from right to left. */
const directional: ReadonlySet<IconName> = new Set(['back', 'forward', 'reply', 'send', 'leave', 'external']);

export function icon(name: IconName, size = 20): TemplateResult {
  return html`<svg
    class=${directional.has(name) ? 'directional' : nothing}
    viewBox="0 0 24 24"
    width=${size}
    height=${size}
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${strokes[name]}
  </svg>`;
}
