import { html, nothing, type TemplateResult } from 'lit';
import { type DelegationChange, type Direction } from './api';
import { type AccountData } from './account-data';
import './history-chart';

/** What a person can do with the data of an account. */
export interface AccountActions {
  open: (account: string) => void;
  showMore: (direction: Direction) => void;
  download: (direction: Direction) => Promise<void>;
  /** Undefined if the browser gives the page no clipboard. */
  copyLink: (() => Promise<void>) | undefined;
}

const directions = ['in', 'out'] as const;

const texts = {
  in: { title: 'Received', other: 'From', empty: 'No one delegates to this account.' },
  out: { title: 'Given', other: 'To', empty: 'This account delegates to no one.' },
};

/** All amounts have three decimals, so that a column can be compared at a glance. */
const amounts = new Intl.NumberFormat(undefined, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Totals, lists and history of one account. @param isLinkCopied whether the clipboard has the address of the view */
export function accountView(data: AccountData, isLinkCopied: boolean, actions: AccountActions): TemplateResult {
  if (isEmpty(data)) {
    return html`<section class="notice">
      <h2>${data.account}</h2>
      <p class="muted">
        No delegations from or to this account are known. Check the name: there may be no such account.
      </p>
    </section>`;
  }
  return html`<section aria-label="Totals">
      <div class="row">
        <h2>${data.account}</h2>
        ${
          actions.copyLink === undefined
            ? nothing
            : html`<button type="button" class="small" @click=${actions.copyLink}>
                ${isLinkCopied ? 'Link copied' : 'Copy link'}
              </button>`
        }
      </div>
      <dl class="figures">
        ${directions.map(
          (direction) =>
            html`<div>
              <dt class=${direction}>${texts[direction].title}</dt>
              <dd>${amounts.format(data.balances[direction])} VESTS</dd>
            </div>`,
        )}
      </dl>
    </section>
    <div class="cards">${directions.map((direction) => list(data, direction, actions))}</div>
    ${history(data, actions)}`;
}

/** Whether the account never delegated or received anything. The index does not know which accounts exist. */
function isEmpty({ lists, changes }: AccountData): boolean {
  return lists.in.items.length + lists.out.items.length + changes.length === 0;
}

function list({ lists }: AccountData, direction: Direction, actions: AccountActions): TemplateResult {
  const { items, hasMore } = lists[direction];
  const { title, other, empty } = texts[direction];
  return html`<section>
    <div class="row">
      <h2>${title}</h2>
      ${
        items.length === 0
          ? nothing
          : html`<button
              type="button"
              class="small"
              aria-label="Download ${title.toLowerCase()} as CSV"
              @click=${(event: Event) => void disabledDuring(event, () => actions.download(direction))}
            >
              CSV
            </button>`
      }
    </div>
    ${
      items.length === 0
        ? html`<p class="muted">${empty}</p>`
        : html`<table>
            <thead>
              <tr>
                <th scope="col">${other}</th>
                <th scope="col" class="number">VESTS</th>
              </tr>
            </thead>
            <tbody>
              ${items.map(
                ({ delegator, delegatee, amount }) =>
                  html`<tr>
                    <td>${link(direction === 'in' ? delegator : delegatee, actions)}</td>
                    <td class="number">${amounts.format(amount)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
    ${
      hasMore
        ? html`<button
            type="button"
            @click=${() => {
              actions.showMore(direction);
            }}
          >
            Show more
          </button>`
        : nothing
    }
  </section>`;
}

function history({ totals, changes, isHistoryComplete }: AccountData, actions: AccountActions): TemplateResult {
  return html`<section>
    <h2>History</h2>
    ${
      changes.length === 0
        ? html`<p class="muted">No changes are known.</p>`
        : html`<p class="legend small-text">
              ${directions.map((direction) => html`<span class=${direction}>${texts[direction].title}</span>`)}
            </p>
            ${isHistoryComplete ? nothing : html`<p class="muted">Only the first 10,000 changes are drawn.</p>`}
            <history-chart .series=${totals} role="img" aria-label="VESTS over time; the table has the changes">
            </history-chart>
            <table>
              <caption class="small-text">
                The newest changes
              </caption>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">From</th>
                  <th scope="col">To</th>
                  <th scope="col" class="number">VESTS</th>
                </tr>
              </thead>
              <tbody>
                ${changes.map((change) => changeRow(change, actions))}
              </tbody>
            </table>`
    }
  </section>`;
}

function changeRow(
  { createdMs, delegator, delegatee, amount }: DelegationChange,
  actions: AccountActions,
): TemplateResult {
  return html`<tr>
    <td>${time.format(createdMs)}</td>
    <td>${link(delegator, actions)}</td>
    <td>${link(delegatee, actions)}</td>
    <td class="number">${amount === 0 ? 'removed' : amounts.format(amount)}</td>
  </tr>`;
}

function link(account: string, { open }: AccountActions): TemplateResult {
  const onClick = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(account);
  };
  return html`<a href=${`?account=${encodeURIComponent(account)}`} @click=${onClick}>${account}</a>`;
}

async function disabledDuring(event: Event, action: () => Promise<void>): Promise<void> {
  const button = event.currentTarget;
  if (!(button instanceof HTMLButtonElement)) return;
  button.disabled = true;
  await action();
  button.disabled = false;
}
