import { html, nothing, render, type TemplateResult } from 'lit';
import { elementOf } from '../element-of';
import { type AccountData, getAccountData, withNextPage } from './account-data';
import { accountView } from './account-view';
import { ApiError, type Delegation, type Direction, getCsv, getStatus, type Page } from './api';

type View =
  | { state: 'start' }
  /** `previous` is shown until the account is loaded. */
  | { state: 'loading'; account: string; previous: AccountData | undefined }
  | { state: 'failed'; account: string; error: unknown }
  | { state: 'loaded'; account: string; data: AccountData; isLinkCopied?: boolean };

const statusIntervalMs = 5_000;

const main = elementOf('main');

let view: View = { state: 'start' };

function show(next: View): void {
  view = next;
  const account = view.state === 'start' ? '' : view.account;
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
      return html`<section class="notice">
        <h2>Who delegates to whom</h2>
        <p class="muted">
          Enter the name of a Hive account to see the VESTS it receives and gives, now and in the past.
        </p>
        <p class="muted">Programs use the <a href="docs">API</a>.</p>
      </section>`;
    case 'loading':
      return view.previous === undefined
        ? html`<section class="notice"><p class="muted" role="status">Loading ${view.account} …</p></section>`
        : result(view.previous, false);
    case 'failed':
      return html`<section class="notice">
        <p class="error" role="alert">${explain(view.error)}</p>
        ${
          isInvalidAccount(view.error)
            ? nothing
            : html`<button type="button" @click=${() => void open(view.account)}>Try again</button>`
        }
      </section>`;
    case 'loaded':
      return result(view.data, view.isLinkCopied === true);
  }
}

function result(data: AccountData, isLinkCopied: boolean): TemplateResult {
  return html`<div class="result">
    ${accountView(data, isLinkCopied, {
      open: navigate,
      showMore: (direction) => void showMore(data, direction),
      download: (direction) => download(data.account, direction),
      // Only a page from HTTPS or localhost has a clipboard.
      copyLink: isSecureContext ? copyLink : undefined,
    })}
  </div>`;
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  const name = new FormData(form).get('account');
  if (typeof name === 'string') navigate(name.trim().replace(/^@/, '').toLowerCase());
}

function navigate(account: string): void {
  history.pushState(null, '', `?account=${encodeURIComponent(account)}`);
  void open(account);
}

async function open(account: string): Promise<void> {
  show({ state: 'loading', account, previous: view.state === 'loaded' ? view.data : undefined });
  let data: AccountData;
  try {
    data = await getAccountData(account);
  } catch (error) {
    showFailure(account, error);
    return;
  }
  if (isShown(account)) show({ state: 'loaded', account, data });
}

async function showMore(data: AccountData, direction: Direction): Promise<void> {
  let list: Page<Delegation>;
  try {
    list = await withNextPage(data, direction);
  } catch (error) {
    showFailure(data.account, error);
    return;
  }
  // The other list may have grown meanwhile. If this one has, or the account was opened again, the page is not the next
  // one.
  if (view.state !== 'loaded' || view.data.lists[direction] !== data.lists[direction]) return;
  show({ ...view, data: { ...view.data, lists: { ...view.data.lists, [direction]: list } } });
}

function showFailure(account: string, error: unknown): void {
  if (isShown(account)) show({ state: 'failed', account, error });
}

function isShown(account: string): boolean {
  return view.state !== 'start' && view.account === account;
}

async function copyLink(): Promise<void> {
  await navigator.clipboard.writeText(location.href);
  if (view.state === 'loaded') show({ ...view, isLinkCopied: true });
}

/** Saves a list as a file. The service sends CSV only for the header Accept, which a link cannot set. */
async function download(account: string, direction: Direction): Promise<void> {
  try {
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(await getCsv(direction, account));
    anchor.download = `${account}-${direction}.csv`;
    anchor.click();
    URL.revokeObjectURL(anchor.href);
  } catch (error) {
    showFailure(account, error);
  }
}

function explain(error: unknown): string {
  if (isInvalidAccount(error)) return 'This is not a name that a Hive account can have.';
  if (error instanceof ApiError) return `The service responded with ${error.status}.`;
  return 'The service does not respond. Check your connection and try again.';
}

/** The account is the only part of a request that a person writes. */
function isInvalidAccount(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400;
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
  const account = new URLSearchParams(location.search).get('account') ?? '';
  if (account === '') show({ state: 'start' });
  else void open(account);
}

addEventListener('popstate', openAddress);
openAddress();
void showStatus();
setInterval(() => {
  if (!document.hidden) void showStatus();
}, statusIntervalMs);
