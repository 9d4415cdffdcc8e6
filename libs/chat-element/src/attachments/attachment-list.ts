import type { Attachment } from '@waggle/client/browser';
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../i18n/texts';
import { icon } from '../theme/icons';

/** The largest size of an image in a message, in pixels. */
const maxSize = { width: 360, height: 320 };

export const attachmentStyles = css`
  .attachments {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    margin: 2px -8px 4px;
  }

  .picture {
    max-width: 100%;
    border-radius: calc(var(--_radius) - 4px);
    background: color-mix(in srgb, var(--_text) 8%, transparent);
    overflow: hidden;
  }

  /* The text below a picture makes the message no wider. A small picture leaves space for some words. */
  .bubble:has(> .attachments > .picture:only-child) > :is(.quote, .content) {
    min-width: min(100%, calc(15 * var(--_rem)));
    contain: inline-size;
  }

  .picture:focus-visible {
    outline-offset: -3px;
  }

  /* The image has the shape that the message says, before and after it is loaded. */
  .picture img {
    display: block;
    max-width: 100%;
    height: auto;
    object-fit: cover;
  }

  .file {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: var(--_target);
    max-width: 100%;
    padding: 4px 8px;
    color: var(--_accent-text);
    overflow-wrap: anywhere;
  }

  .file svg {
    flex: none;
  }

  .file .muted {
    white-space: nowrap;
  }
`;

/** Whether the page may load a file: the host would see the address of each reader. */
export function isLoadable({ url, media_type: type }: Attachment, hosts: readonly string[]): boolean {
  if (!type.startsWith('image/') || !URL.canParse(url)) return false;
  const { protocol, host } = new URL(url);
  return protocol === 'https:' && hosts.includes(host);
}

/** The size of a displayed image, in pixels. */
function shownSize({ width = 1, height = 1 }: Attachment, isOnly: boolean): { width: number; height: number } {
  const share = isOnly ? 1 : 0.5;
  const scale = Math.min(1, (maxSize.width * share) / width, (maxSize.height * share) / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * The files of a message: images on hosts that the page may load, and links to the others.
 *
 * @param onOpen shows an image on the whole screen; undefined while the message is being sent
 */
export function attachmentsTemplate(
  attachments: readonly Attachment[] | undefined,
  hosts: readonly string[],
  language: Language,
  onOpen: ((attachment: Attachment) => void) | undefined,
): TemplateResult | typeof nothing {
  if (attachments === undefined || attachments.length === 0) return nothing;
  const isOnly = attachments.length === 1;
  return html`<div class="attachments">
    ${attachments.map((attachment) => {
      if (!isLoadable(attachment, hosts)) return fileLink(attachment, language);
      const { name, url } = attachment;
      const { width, height } = shownSize(attachment, isOnly);
      return html`<button
        class="picture"
        aria-label=${language.texts.showImage(name)}
        ?disabled=${onOpen === undefined}
        @click=${() => onOpen?.(attachment)}
      >
        <img
          width=${width}
          height=${height}
          .style=${`aspect-ratio: ${width} / ${height}`}
          alt=${name}
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          src=${url}
        />
      </button>`;
    })}
  </div>`;
}

function fileLink({ url, name, bytes }: Attachment, { formats }: Language): TemplateResult {
  const content = html`${icon('file')} <bdi>${name}</bdi> <span class="muted">${formats.bytes(bytes)}</span>`;
  return url.startsWith('https://')
    ? html`<a class="file" href=${url} target="_blank" rel="noopener noreferrer nofollow">${content}</a>`
    : html`<span class="file">${content}</span>`;
}
