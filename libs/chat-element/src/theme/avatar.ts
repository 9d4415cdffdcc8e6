import { css, html, type TemplateResult } from 'lit';
import { icon } from './icons';
import { initialsOf } from './initials';

const colors = 8;

/** White letters on these colours, and the colours on white, have a contrast of at least 4.5 : 1. */
export const avatarStyles = css`
  .avatar {
    position: relative;
    display: inline-grid;
    place-items: center;
    flex: none;
    width: 40px;
    height: 40px;
    border-radius: 50%;
    background: var(--_account);
    color: #ffffff;
    font-size: 15px;
    font-weight: 600;
    text-transform: uppercase;
    user-select: none;
  }

  .avatar.small {
    width: 32px;
    height: 32px;
    font-size: 13px;
  }

  .avatar.large {
    width: 72px;
    height: 72px;
    font-size: 26px;
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
    background: light-dark(#1a8f4c, #4fd183);
  }

  .c0 {
    --_account: #b3402e;
  }
  .c1 {
    --_account: #9a5b00;
  }
  .c2 {
    --_account: #4f7a00;
  }
  .c3 {
    --_account: #007a5e;
  }
  .c4 {
    --_account: #0076a3;
  }
  .c5 {
    --_account: #3a62c4;
  }
  .c6 {
    --_account: #7a4fc0;
  }
  .c7 {
    --_account: #a83a80;
  }
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

/** The class that sets `--_account`, a colour that depends on the name alone. */
export function colorClass(name: string): string {
  // FNV-1a, whose upper bits are spread evenly also for short names.
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return `c${(hash >>> 16) % colors}`;
}
