import { css, html, type TemplateResult, unsafeCSS } from 'lit';
import { icon } from './icons';
import { initialsOf } from './initials';

/**
 * Twelve hues, each in two lightnesses. Yellow and green are muddy where they are dark: there the letters are dark. The
 * contrast is at least 4.5 : 1.
 */
const hues = 12;
const dark = { lightnesses: [0.52, 0.43], chroma: 0.17, letters: '#ffffff' };
const bright = { lightnesses: [0.82, 0.72], chroma: 0.15, letters: '#1d1a14' };
const colors = hues * dark.lightnesses.length;

export const avatarStyles = css`
  .avatar {
    position: relative;
    display: inline-grid;
    place-items: center;
    flex: none;
    width: calc(2.5 * var(--_rem));
    height: calc(2.5 * var(--_rem));
    border-radius: 50%;
    background: var(--_account);
    color: var(--_letters);
    font-size: var(--_text-md);
    font-weight: 600;
    text-transform: uppercase;
    user-select: none;
  }

  .avatar.small {
    width: calc(2 * var(--_rem));
    height: calc(2 * var(--_rem));
    font-size: var(--_text-sm);
  }

  .avatar.large {
    width: calc(5 * var(--_rem));
    height: calc(5 * var(--_rem));
    font-size: var(--_text-xxl);
  }

  .avatar img {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    border-radius: 50%;
    object-fit: cover;
  }

  .avatar .online {
    position: absolute;
    inset-block-end: -1px;
    inset-inline-end: -1px;
    width: 12px;
    height: 12px;
    border: 2px solid var(--_surface);
    border-radius: 50%;
    background: var(--_good);
  }

  /* Without its background, a border keeps it a circle. */
  @media (forced-colors: active) {
    .avatar {
      border: 1px solid;
    }

    .avatar .online {
      background: Highlight;
    }
  }

  ${unsafeCSS(colorClasses())}
`;

interface AvatarOptions {
  size?: 'small' | 'large';
  /** Address with `{account}`; initials if undefined. */
  pattern?: string | undefined;
  isOnline?: boolean;
  kind?: 'dm' | 'group' | 'channel';
}

/**
 * A picture or initials in a colour that depends on the name alone. It repeats the name beside it, so screen readers
 * skip it.
 */
export function avatar(name: string, { size, pattern, isOnline, kind = 'dm' }: AvatarOptions = {}): TemplateResult {
  const iconSize = size === 'large' ? 36 : 20;
  return html`<span class="avatar ${colorClass(name)} ${size ?? ''}" aria-hidden="true">
    ${kind === 'dm' ? initialsOf(name) : icon(kind, iconSize)}
    ${
      kind === 'dm' && pattern !== undefined
        ? html`<img
            src=${pattern.replace('{account}', encodeURIComponent(name))}
            alt=""
            loading="lazy"
            referrerpolicy="no-referrer"
          />`
        : ''
    }
    ${isOnline === true ? html`<span class="online"></span>` : ''}
  </span>`;
}

/** The class that sets `--_account`, a colour that depends on the name alone, and `--_letters`, the text on it. */
export function colorClass(name: string): string {
  // FNV-1a, whose upper bits are spread evenly also for short names.
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return `c${(hash >>> 16) % colors}`;
}

function colorClasses(): string {
  return Array.from({ length: colors }, (_, i) => {
    const hue = (i % hues) * (360 / hues);
    const { lightnesses, chroma, letters } = hue >= 60 && hue <= 120 ? bright : dark;
    const lightness = lightnesses[Math.floor(i / hues)] ?? 0;
    return `.c${i} { --_account: oklch(${lightness} ${chroma} ${hue}); --_letters: ${letters}; }`;
  }).join('\n');
}
