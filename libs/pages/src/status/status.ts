import { html, render, type TemplateResult } from 'lit';
import { elementOf } from '../element-of';
import { getState, type GatewayState, type IndexState, type NodeState } from './state';

const intervalMs = 2_000;

const main = elementOf('main');
const updated = elementOf('updated');
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Whether the page has values, which stay if the gateway does not respond. */
let isShown = false;
let isRefreshing = false;

function page(state: GatewayState): TemplateResult {
  return html`<div class="cards">${chain(state)} ${calls(state)}</div>
    ${index(state.index, state.irreversibleBlock)} ${nodes(state)}`;
}

function chain({ headBlock, irreversibleBlock }: GatewayState): TemplateResult {
  return html`<section>
    <h2>Chain</h2>
    <dl class="figures">
      ${figure('Head block', number(headBlock))} ${figure('Irreversible block', number(irreversibleBlock))}
    </dl>
  </section>`;
}

function calls({ calls }: GatewayState): TemplateResult {
  const total = calls.index + calls.upstream + calls.cache;
  const share = (count: number) => (total === 0 ? '' : percent.format(count / total));
  return html`<section>
    <h2>Calls since the start, by source</h2>
    <dl class="figures">
      ${figure('Index', number(calls.index), share(calls.index))}
      ${figure('Cache', number(calls.cache), share(calls.cache))}
      ${figure('Hive nodes', number(calls.upstream), share(calls.upstream))}
    </dl>
  </section>`;
}

function index({ block, firstBlock, lagSeconds, unmet }: IndexState, irreversibleBlock: number | null): TemplateResult {
  const isStarted = block !== null && irreversibleBlock !== null;
  return html`<section>
    <h2>Index</h2>
    <dl class="figures">
      ${figure('Last block', number(block))} ${figure('First block', number(firstBlock))}
      ${figure('Lag', lagSeconds === null ? '–' : `${lagSeconds.toLocaleString()} s`)}
    </dl>
    <progress
      aria-label="Indexed share of the irreversible blocks"
      max=${irreversibleBlock ?? 1}
      .value=${isStarted ? Math.min(block, irreversibleBlock) : 0}
    ></progress>
    ${
      unmet.length === 0
        ? html`<p class="good">Complete: all local methods are answered from the index.</p>`
        : html`<p>Methods that need the following are forwarded to Hive nodes:</p>
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

function nodes({ nodes, headBlock }: GatewayState): TemplateResult {
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
        ${nodes.map((node) => row(node, headBlock))}
      </tbody>
    </table>
  </section>`;
}

function row({ backend, name, state, headBlock, openCalls }: NodeState, highest: number | null): TemplateResult {
  const behind = headBlock === null || highest === null ? null : Math.max(0, highest - headBlock);
  return html`<tr>
    <td>${name} <span class="backend small-text">${backend}</span></td>
    <td class="state ${state === 'usable' ? 'good' : 'error'}">${state}</td>
    <td class="number">${number(behind)}</td>
    <td class="number">${number(openCalls)}</td>
  </tr>`;
}

function number(value: number | null): string {
  return value === null ? '–' : value.toLocaleString();
}

/** Updates the page. Does nothing while an earlier refresh is running: its response could replace a newer one. */
async function refresh(): Promise<void> {
  if (isRefreshing) return;
  isRefreshing = true;
  try {
    render(page(await getState()), main);
    isShown = true;
    updated.textContent = `Updated at ${time.format(new Date())}`;
    updated.className = 'muted';
  } catch {
    if (!isShown) render(notice('The gateway does not respond. The page tries again.'), main);
    updated.textContent = isShown ? 'The gateway does not respond. These are the last known values.' : '';
    updated.className = 'error';
  } finally {
    isRefreshing = false;
  }
}

function notice(text: string): TemplateResult {
  return html`<section class="notice"><p class="muted" role="status">${text}</p></section>`;
}

render(notice('Loading …'), main);
void refresh();
setInterval(() => {
  if (!document.hidden) void refresh();
}, intervalMs);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void refresh();
});
