import { html, nothing, render, type TemplateResult } from 'lit';
import {
  ApiError,
  type Balances,
  type Delegation,
  type Direction,
  getBalances,
  getChanges,
  getCsv,
  getDelegations,
  getStatus,
  type Page,
} from './api';
import { elementOf } from '../element-of';
import './history-chart';
import { runningTotals, type Total } from './running-totals';

/** What is known of one account. */
interface Found {
  account: string;
  balances: Balances;
  lists: Record<Direction, Page>;
  totals: Total[][];
  /** The newest changes of both directions. */
  changes: Delegation[];
  isHistoryComplete: boolean;
}

type View =
  | { state: 'start' }
  | { state: 'loading'; account: string }
  | { state: 'failed'; account: string; message: string }
  | { state: 'found'; found: Found };

const statusIntervalMs = 5_000;

/** Changes in the table below the chart. */
const shownChanges = 20;

const directions = ['in', 'out'] as const;

const texts = {
  in: { title: 'Received', other: 'From', empty: 'No one delegates to this account.' },
  out: { title: 'Given', other: 'To', empty: 'This account delegates to no one.' },
};

const main = elementOf('main');
const vests = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function show(view: View): void {
  const account = view.state === 'start' ? '' : view.state === 'found' ? view.found.account : view.account;
  document.title = account === '' ? 'Delegations on Hive' : `${account} – Delegations on Hive`;
  main.ariaBusy = String(view.state === 'loading');
  render([search(account), content(view)], main);
}

function search(account: string): TemplateResult {
  return html`<form role="search" @submit=${submit}>
    <label>
      Account
      <input
        name="account"
        .value=${account}
        required
        maxlength="16"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
      />
    </label>
    <button type="submit">Show delegations</button>
  </form>`;
}

function content(view: View): TemplateResult {
  switch (view.state) {
    case 'start':
      return html`<section>
        <h2>Who delegates to whom</h2>
        <p>Enter the name of a Hive account to see the VESTS it receives and gives, now and in the past.</p>
        <p class="muted">Programs use the <a href="docs">API</a>.</p>
      </section>`;
    case 'loading':
      return html`<section><p class="muted" role="status">Loading ${view.account} …</p></section>`;
    case 'failed':
      return html`<section>
        <p class="error" role="alert">${view.message}</p>
        <button type="button" @click=${() => void open(view.account)}>Try again</button>
      </section>`;
    case 'found':
      return account(view.found);
  }
}

function account(found: Found): TemplateResult {
  const { balances, totals, changes } = found;
  return html`
    <section aria-label="Totals">
      <dl>
        ${directions.map(
          (direction) =>
            html`<div>
              <dt>${texts[direction].title}</dt>
              <dd>${vests.format(balances[direction])} VESTS</dd>
            </div>`,
        )}
      </dl>
    </section>
    <div class="cards">${directions.map((direction) => list(found, direction))}</div>
    <section>
      <h2>History</h2>
      ${
        changes.length === 0
          ? html`<p class="muted">No changes are known.</p>`
          : html`<p class="muted">
                Received: solid line. Given:
                dashed.${found.isHistoryComplete ? '' : ' Only the first 10,000 changes are drawn.'}
              </p>
              <history-chart .series=${totals} role="img" aria-label="Totals over time; the table has the changes">
              </history-chart>
              <table>
                <caption>
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
                  ${changes.map(
                    ({ createdMs, delegator, delegatee, amount }) =>
                      html`<tr>
                        <td>${time.format(createdMs)}</td>
                        <td>${link(delegator)}</td>
                        <td>${link(delegatee)}</td>
                        <td class="number">${amount === 0 ? 'removed' : vests.format(amount)}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>`
      }
    </section>
  `;
}

function list(found: Found, direction: Direction): TemplateResult {
  const { delegations, hasMore } = found.lists[direction];
  const { title, other, empty } = texts[direction];
  return html`<section>
    <div class="row">
      <h2>${title}</h2>
      ${
        delegations.length === 0
          ? nothing
          : html`<button
              type="button"
              aria-label="Download ${title.toLowerCase()} as CSV"
              @click=${(event: Event) => void download(event, found.account, direction)}
            >
              CSV
            </button>`
      }
    </div>
    ${
      delegations.length === 0
        ? html`<p class="muted">${empty}</p>`
        : html`<table>
            <thead>
              <tr>
                <th scope="col">${other}</th>
                <th scope="col" class="number">VESTS</th>
              </tr>
            </thead>
            <tbody>
              ${delegations.map(
                ({ delegator, delegatee, amount }) =>
                  html`<tr>
                    <td>${link(direction === 'in' ? delegator : delegatee)}</td>
                    <td class="number">${vests.format(amount)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
    ${
      hasMore
        ? html`<p><button type="button" @click=${() => void showMore(found, direction)}>Show more</button></p>`
        : nothing
    }
  </section>`;
}

function link(name: string): TemplateResult {
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    navigate(name);
  };
  return html`<a href=${`?account=${encodeURIComponent(name)}`} @click=${open}>${name}</a>`;
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  const name = new FormData(form).get('account');
  if (typeof name === 'string') navigate(name.trim().replace(/^@/, '').toLowerCase());
}

function navigate(name: string): void {
  history.pushState(null, '', `?account=${encodeURIComponent(name)}`);
  void open(name);
}

/** The account that was opened last: a slower response of an earlier one is dropped. */
let current = '';

async function open(name: string): Promise<void> {
  current = name;
  show({ state: 'loading', account: name });
  try {
    const found = await load(name);
    if (current === name) show({ state: 'found', found });
  } catch (error) {
    if (current === name) show({ state: 'failed', account: name, message: explain(error) });
  }
}

async function load(name: string): Promise<Found> {
  const [balances, received, given, receivedChanges, givenChanges] = await Promise.all([
    getBalances(name),
    getDelegations('in', name),
    getDelegations('out', name),
    getChanges('in', name),
    getChanges('out', name),
  ]);
  const total = ({ delegations, hasMore }: Page, direction: Direction) =>
    runningTotals(delegations, hasMore ? undefined : balances[direction]);
  return {
    account: name,
    balances,
    lists: { in: received, out: given },
    totals: [total(receivedChanges, 'in'), total(givenChanges, 'out')],
    changes: [...receivedChanges.delegations, ...givenChanges.delegations]
      .sort((a, b) => b.id - a.id)
      .slice(0, shownChanges),
    isHistoryComplete: !receivedChanges.hasMore && !givenChanges.hasMore,
  };
}

async function showMore(found: Found, direction: Direction): Promise<void> {
  const { delegations } = found.lists[direction];
  try {
    const more = await getDelegations(direction, found.account, delegations.at(-1)?.id);
    found.lists[direction] = { ...more, delegations: [...delegations, ...more.delegations] };
    if (current === found.account) show({ state: 'found', found });
  } catch (error) {
    show({ state: 'failed', account: found.account, message: explain(error) });
  }
}

/** The service sends CSV only for the header Accept, which a link cannot set. */
async function download(event: Event, name: string, direction: Direction): Promise<void> {
  const button = event.target;
  if (!(button instanceof HTMLButtonElement)) return;
  button.disabled = true;
  try {
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(await getCsv(direction, name));
    anchor.download = `${name}-${direction}.csv`;
    anchor.click();
    URL.revokeObjectURL(anchor.href);
  } catch (error) {
    show({ state: 'failed', account: name, message: explain(error) });
  } finally {
    button.disabled = false;
  }
}

function explain(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return 'The service does not respond. Check your connection and try again.';
}

async function showStatus(): Promise<void> {
  const status = elementOf('status');
  try {
    const { syncedBlock: block, lagSeconds: lag } = await getStatus();
    status.textContent =
      block === null ? 'The index is still empty.' : `Block ${block.toLocaleString()}, ${lag ?? 0} s ago`;
  } catch {
    status.textContent = 'The service does not respond.';
  }
}

function openAddress(): void {
  const name = new URLSearchParams(location.search).get('account') ?? '';
  if (name === '') show({ state: 'start' });
  else void open(name);
}

addEventListener('popstate', openAddress);
openAddress();
void showStatus();
setInterval(() => {
  if (!document.hidden) void showStatus();
}, statusIntervalMs);
