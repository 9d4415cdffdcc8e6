import { html, render, type TemplateResult } from 'lit';
import { elementOf } from '../element-of';
import { getState, type GatewayState, type IndexState, type NodeState, UnexpectedResponseError } from './state';

const refreshIntervalMs = 2_000;

const main = elementOf('main');
const updated = elementOf('updated');
/** A live region: screen readers announce a problem once, and not each refresh. */
const problem = elementOf('problem');
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Whether the page has values. They stay if a refresh fails. */
let hasValues = false;
let isRefreshing = false;

function page(state: GatewayState): TemplateResult {
  return html`<div class="cards">${chainSection(state)} ${callsSection(state)}</div>
    ${indexSection(state.index, state.irreversibleBlock)} ${nodesSection(state)}`;
}

function chainSection({ headBlock, irreversibleBlock }: GatewayState): TemplateResult {
  return html`<section>
    <h2>Chain</h2>
    <dl class="figures">
      ${figure('Head block', textOf(headBlock))} ${figure('Irreversible block', textOf(irreversibleBlock))}
    </dl>
  </section>`;
}

function callsSection({ calls }: GatewayState): TemplateResult {
  const total = calls.index + calls.upstream + calls.cache;
  const share = (count: number) => (total === 0 ? '' : percent.format(count / total));
  return html`<section>
    <h2>Calls since the gateway started, by source</h2>
    <dl class="figures">
      ${figure('Index', textOf(calls.index), share(calls.index))}
      ${figure('Cache', textOf(calls.cache), share(calls.cache))}
      ${figure('Hive nodes', textOf(calls.upstream), share(calls.upstream))}
    </dl>
  </section>`;
}

function indexSection(
  { block, firstBlock, lagSeconds, unmet }: IndexState,
  irreversibleBlock: number | null,
): TemplateResult {
  // Both count from the first block that the index is to contain.
  const blocksBefore = (firstBlock ?? 1) - 1;
  const total = irreversibleBlock === null ? 1 : Math.max(1, irreversibleBlock - blocksBefore);
  const indexed = block === null || irreversibleBlock === null ? 0 : Math.min(block - blocksBefore, total);
  return html`<section>
    <h2>Index</h2>
    <dl class="figures">
      ${figure('Last block', textOf(block))} ${figure('First block', textOf(firstBlock))}
      ${figure('Lag', lagSeconds === null ? '–' : `${lagSeconds.toLocaleString()} s`)}
    </dl>
    <progress
      aria-label="Indexed share of the irreversible blocks, from the first block on"
      max=${total}
      .value=${indexed}
    ></progress>
    ${
      unmet.length === 0
        ? html`<p class="good">Complete: all local methods have what they need.</p>`
        : html`<p>Local methods that need the following are forwarded to Hive nodes:</p>
            <ul>
              ${unmet.map(({ need, reason }) => html`<li><strong>${need}</strong>: ${reason}</li>`)}
            </ul>`
    }
  </section>`;
}

function figure(name: string, value: string, share = ''): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value} <span class="small-text">${share}</span></dd>
  </div>`;
}

function nodesSection({ nodes, headBlock }: GatewayState): TemplateResult {
  return html`<section>
    <h2>Nodes</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Node</th>
          <th scope="col">State</th>
          <th scope="col" class="number">Blocks behind</th>
          <th scope="col" class="number">Open calls</th>
        </tr>
      </thead>
      <tbody>
        ${nodes.map((node) => nodeRow(node, headBlock))}
      </tbody>
    </table>
  </section>`;
}

/** @param chainHead the head block of the chain as the gateway knows it */
function nodeRow({ backend, name, state, headBlock, openCalls }: NodeState, chainHead: number | null): TemplateResult {
  const behind = headBlock === null || chainHead === null ? null : chainHead - headBlock;
  const isAhead = behind !== null && behind < 0;
  return html`<tr>
    <td>${breakable(name)} <span class="backend small-text">${backend}</span></td>
    <td class="state ${state === 'usable' ? 'good' : 'error'}">${state}</td>
    <td class="number">${isAhead ? `${textOf(-behind)} ahead` : textOf(behind)}</td>
    <td class="number">${textOf(openCalls)}</td>
  </tr>`;
}

/** Lets the address of a node break after its dots and colons. */
function breakable(address: string): TemplateResult[] {
  return address.split(/(?<=[.:])/).map((part) => html`${part}<wbr />`);
}

/** Formats a number that is null until it is known. */
function textOf(value: number | null): string {
  return value === null ? '–' : value.toLocaleString();
}

/** Updates the page. Does nothing while an earlier refresh is running: its response could replace a newer one. */
async function refresh(): Promise<void> {
  if (isRefreshing) return;
  isRefreshing = true;
  let state: GatewayState;
  try {
    state = await getState();
  } catch (error) {
    console.warn(error);
    showProblem(error instanceof UnexpectedResponseError ? 'responds with an error' : 'does not respond');
    return;
  } finally {
    isRefreshing = false;
  }
  render(page(state), main);
  hasValues = true;
  updated.textContent = `Updated at ${timeFormat.format(new Date())}`;
  problem.textContent = '';
}

/** @param failure what the gateway does */
function showProblem(failure: string): void {
  if (hasValues) problem.textContent = `The gateway ${failure}. These are the last known values.`;
  else render(notice(`The gateway ${failure}. The page tries again.`), main);
}

function notice(text: string): TemplateResult {
  return html`<section class="notice"><p class="muted" role="status">${text}</p></section>`;
}

render(notice('Loading …'), main);
void refresh();
setInterval(() => {
  if (!document.hidden) void refresh();
}, refreshIntervalMs);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void refresh();
});
