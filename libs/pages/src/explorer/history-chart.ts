import uPlot from 'uplot';
import { type Total } from './running-totals';

/** Draws the totals of both directions over time. Its text alternative is the table of changes below it. */
export class HistoryChart extends HTMLElement {
  #plot: uPlot | undefined;
  #series: readonly (readonly Total[])[] = [];
  readonly #resize = new ResizeObserver(() => {
    this.#draw();
  });

  set series(series: readonly (readonly Total[])[]) {
    this.#series = series;
    this.#draw();
  }

  connectedCallback(): void {
    this.#resize.observe(this);
    // The canvas has the colors of the theme it was drawn in.
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', this.#redraw);
  }

  disconnectedCallback(): void {
    this.#resize.disconnect();
    matchMedia('(prefers-color-scheme: dark)').removeEventListener('change', this.#redraw);
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  readonly #redraw = () => {
    this.#draw();
  };

  #draw(): void {
    if (!this.isConnected || this.clientWidth === 0) return;
    this.#plot?.destroy();
    const color = (name: string) => colorOf(this, name);
    const axis = { stroke: color('--muted'), grid: { stroke: color('--line') }, ticks: { stroke: color('--line') } };
    const paths = uPlot.paths.stepped?.({ align: 1 });
    const line = { ...(paths && { paths }), points: { show: false }, width: 2 };
    this.#plot = new uPlot(
      {
        width: this.clientWidth,
        height: this.clientHeight,
        legend: { show: false },
        cursor: { show: false },
        axes: [axis, { ...axis, size: 64, values: (_plot, values) => values.map(compact) }],
        scales: { y: { range: (_plot, _min, max) => [0, max * 1.1 || 1] } },
        series: [{}, { ...line, stroke: color('--accent') }, { ...line, stroke: color('--second'), dash: [6, 4] }],
      },
      aligned(this.#series, Date.now() / 1_000),
      this,
    );
  }
}

const shortNumber = new Intl.NumberFormat(undefined, { notation: 'compact' });

function compact(value: number): string {
  return shortNumber.format(value);
}

/** uPlot wants one list of times for all series; each total lasts until now. */
function aligned(series: readonly (readonly Total[])[], nowSeconds: number): uPlot.AlignedData {
  const tables = series.map((totals): uPlot.AlignedData => {
    const lasting = totals.length === 0 ? [] : [...totals, { seconds: nowSeconds, vests: totals.at(-1)?.vests ?? 0 }];
    return [lasting.map(({ seconds }) => seconds), lasting.map(({ vests }) => vests)];
  });
  return uPlot.join(tables);
}

/** The computed color: `light-dark()` of a custom property is not resolved by itself. */
function colorOf(element: HTMLElement, name: string): string {
  element.style.setProperty('color', `var(${name})`);
  const { color } = getComputedStyle(element);
  element.style.removeProperty('color');
  return color;
}

customElements.define('history-chart', HistoryChart);
