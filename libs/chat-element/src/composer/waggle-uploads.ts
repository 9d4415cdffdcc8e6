import { css, html, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { defineElement } from '../elements/define-element';
import { WaggleElement } from '../elements/waggle-element';
import type { WalletRequest } from '../sign-in/aioha';
import { walletRequestStyles, walletRequestTemplate } from '../sign-in/wallet-request';
import { icon } from '../theme/icons';
import type { Upload } from './uploads';

/**
 * The images of a draft while they are uploaded.
 *
 * @fires upload-retried - `detail` is an upload that failed
 * @fires upload-removed - `detail` is the upload
 */
@defineElement('waggle-uploads')
export class WaggleUploads extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    walletRequestStyles,
    css`
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        max-width: 860px;
        margin-inline: auto;
        padding: 8px 16px 0;
      }

      .upload {
        display: flex;
        align-items: center;
        gap: 8px;
        max-width: min(100%, calc(20 * var(--_rem)));
        padding-inline-start: 4px;
        border: 1px solid var(--_border);
        border-radius: 8px;
        font-size: var(--_text-sm);
      }

      .upload.failed {
        border-color: var(--_danger);
      }

      .upload > img,
      .upload > svg {
        flex: none;
        width: 40px;
        height: 40px;
        border-radius: 4px;
        object-fit: cover;
      }

      .upload > svg {
        padding: 8px;
        color: var(--_muted);
      }

      .upload .grow {
        min-width: 80px;
      }

      .upload progress {
        display: block;
        width: 100%;
        height: 4px;
        accent-color: var(--_accent);
      }

      .upload .error {
        padding: 0;
      }

      .wallet {
        display: grid;
        gap: 8px;
        width: 100%;
        justify-items: center;
      }
    `,
  ];

  @property({ attribute: false }) uploads: readonly Upload[] = [];

  /** What a wallet on a phone has to scan. */
  @property({ attribute: false }) request: WalletRequest | undefined;

  protected override render(): TemplateResult {
    const { request } = this;
    const { texts } = this.language;
    return html`<ul>
      ${this.uploads.map((upload) => this.#item(upload))}
      ${request === undefined ? undefined : html`<li class="wallet">${walletRequestTemplate(request, texts)}</li>`}
    </ul>`;
  }

  #item(upload: Upload): TemplateResult {
    const { texts } = this.language;
    const { file, preview, failure } = upload;
    const removeText = texts.removeImage(file.name);
    return html`<li class="upload ${failure === undefined ? '' : 'failed'}">
      ${preview === undefined ? icon('image') : html`<img src=${preview} alt="" />`}
      <span class="grow"><bdi class="ellipsis">${file.name}</bdi> ${this.#status(upload)}</span>
      ${
        failure === undefined
          ? undefined
          : html`<button
              type="button"
              class="button"
              @click=${() => {
                this.emit('upload-retried', upload);
              }}
            >
              ${texts.retry}
            </button>`
      }
      <button
        type="button"
        class="icon-button"
        aria-label=${removeText}
        title=${removeText}
        @click=${() => {
          this.emit('upload-removed', upload);
        }}
      >
        ${icon('close')}
      </button>
    </li>`;
  }

  #status({ file, progress, attachment, failure }: Upload): TemplateResult {
    const { texts, formats } = this.language;
    if (failure !== undefined) return html`<span class="error" role="alert">${this.#textOf(failure)}</span>`;
    if (attachment !== undefined) return html`<span class="muted">${formats.bytes(attachment.bytes)}</span>`;
    return html`<progress aria-label="${texts.uploading}: ${file.name}" .value=${progress}></progress>`;
  }

  #textOf(code: string): string {
    const { errors } = this.language.texts;
    const known: Partial<Record<string, string>> = errors;
    return known[code] ?? errors['upload-failed'];
  }
}
