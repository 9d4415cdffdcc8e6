import { css, html, type TemplateResult } from 'lit';

/** Shapes of what is loading, in its places, so that nothing moves when it is there. */
export const skeletonStyles = css`
  .skeleton {
    animation: pulse 1.6s ease-in-out infinite;
    pointer-events: none;
  }

  @keyframes pulse {
    50% {
      opacity: 0.5;
    }
  }

  .skeleton i {
    display: block;
    border-radius: var(--_radius);
    background: var(--_border);
  }

  .skeleton.entries {
    width: 100%;
    overflow: hidden;
  }

  .skeleton .shape-field {
    height: var(--_target);
    margin: 8px 16px;
    border-radius: 20px;
  }

  .skeleton .shape-entry {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 8px 12px;
    align-content: center;
    align-items: center;
    padding: var(--_pad) 16px;
  }

  .shape-entry i {
    width: 45%;
    height: calc(0.75 * var(--_rem));
  }

  .shape-entry i:first-child {
    grid-row: 1 / 3;
    width: calc(2.5 * var(--_rem));
    height: calc(2.5 * var(--_rem));
    border-radius: 50%;
  }

  .shape-entry i:last-child {
    width: 80%;
  }

  /* At the end of the list, and without a place in it: messages do not move when it goes. */
  .skeleton.bubbles {
    position: absolute;
    inset-inline: 16px;
    inset-block-end: 8px;
    display: grid;
    gap: 8px;
  }

  .bubbles i {
    width: 60%;
    height: calc(2.25 * var(--_rem));
  }

  .bubbles i:nth-child(3n) {
    justify-self: end;
    width: 45%;
  }

  .bubbles i:nth-child(4n) {
    width: 40%;
  }

  @media (forced-colors: active) {
    .skeleton i {
      border: 1px solid GrayText;
    }
  }
`;

const times = (count: number, shape: TemplateResult): TemplateResult[] => Array.from({ length: count }, () => shape);

/** The search field and conversations. */
export const entriesSkeleton = html`<div class="skeleton entries" aria-hidden="true">
  <i class="shape-field"></i>
  ${times(8, html`<div class="shape-entry"><i></i><i></i><i></i></div>`)}
</div>`;

/** Messages. */
export const bubblesSkeleton = html`<div class="skeleton bubbles" aria-hidden="true">${times(6, html`<i></i>`)}</div>`;
