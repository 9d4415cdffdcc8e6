import './valid-language';
import uPlot from 'uplot';
import { type Total } from './running-totals';
import { timeLabels } from './time-labels';

/** Draws the totals of both directions over time. Its text alternative is the table of changes below it. */
export class HistoryChart extends HTMLElement {
  #plot: uPlot | undefined;
  #series: readonly (readonly Total[])[] = [];
  readonly #theme = matchMedia('(prefers-color-scheme: dark)');

  readonly #draw = () => {
    if (!this.isConnected || this.clientWidth === 0) return;
    this.#plot?.destroy();
    const color = (name: string) => colorOf(this, name);
    const axis: uPlot.Axis = {
      stroke: color('--_muted'),
      font: `12px ${getComputedStyle(this).fontFamily}`,
      grid: { stroke: color('--_border'), width: 1 },
      ticks: { show: false },
      border: { show: false },
    };
    const paths = uPlot.paths.stepped?.({ align: 1 });
    const line = { ...(paths && { paths }), points: { show: false }, width: 2 };
    this.#plot = new uPlot(
      {
        width: this.clientWidth,
        height: this.clientHeight,
        legend: { show: false },
        cursor: { show: false },
        padding: paddingPx,
        axes: [
          {
            ...axis,
            grid: { show: false },
            space: 72,
            size: timeAxisHeightPx,
            values: (_plot, times, _axis, _spacePx, stepSeconds) => timeLabels(times, stepSeconds),
          },
          {
            ...axis,
            size: (_plot, labels: string[] | null) =>
              16 + characterWidthPx * Math.max(0, ...(labels ?? []).map(({ length }) => length)),
            values: (_plot, values) => values.map((value) => shortNumber.format(value)),
          },
        ],
        scales: { y: { range: (_plot, _min, max) => [0, max * 1.1 || 1] } },
        series: [
          {},
          { ...line, stroke: color('--_accent-text') },
          { ...line, stroke: color('--_second'), dash: [6, 4] },
        ],
      },
      aligned(this.#series, Date.now() / 1_000),
      this,
    );
  };

  readonly #resize = new ResizeObserver(this.#draw);

  set series(series: readonly (readonly Total[])[]) {
    this.#series = series;
    this.#draw();
  }

  connectedCallback(): void {
    this.#resize.observe(this);
    // The canvas has the colors of the theme it was drawn in.
    this.#theme.addEventListener('change', this.#draw);
  }

  disconnectedCallback(): void {
    this.#resize.disconnect();
    this.#theme.removeEventListener('change', this.#draw);
    this.#plot?.destroy();
    this.#plot = undefined;
  }
}

const shortNumber = new Intl.NumberFormat(undefined, { notation: 'compact' });

/** Two lines of text. */
const timeAxisHeightPx = 44;

/** Above the highest line, and beside the last label. */
const paddingPx: uPlot.Padding = [8, 16, 0, 0];

/** Roomy for 12 px. */
const characterWidthPx = 7;

/** Joins the series on one list of times, which uPlot needs. Each last total holds until now. */
function aligned(series: readonly (readonly Total[])[], nowSeconds: number): uPlot.AlignedData {
  const tables = series.map((totals): uPlot.AlignedData => {
    const lasting = totals.length === 0 ? [] : [...totals, { seconds: nowSeconds, vests: totals.at(-1)?.vests ?? 0 }];
    return [lasting.map(({ seconds }) => seconds), lasting.map(({ vests }) => vests)];
  });
  return uPlot.join(tables);
}

/** Returns the computed color. Reading the custom property would return `light-dark(…)` unresolved. */
function colorOf(element: HTMLElement, name: string): string {
  element.style.setProperty('color', `var(${name})`);
  const { color } = getComputedStyle(element);
  element.style.removeProperty('color');
  return color;
}

customElements.define('history-chart', HistoryChart);
