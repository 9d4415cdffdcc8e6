/** A graph: what it shows, in which of Grafana's units, and the lines in it. */
export interface Panel {
  title: string;
  unit: 'short' | 's' | 'reqps' | 'percentunit' | 'bytes' | 'ops';
  /** PromQL → what a line is called, with `{{label}}` for a label. */
  lines: Readonly<Record<string, string>>;
}

export interface Row {
  title: string;
  panels: readonly Panel[];
}

export interface Dashboard {
  /** The service's name. */
  service: string;
  rows: readonly Row[];
}

/** Grafana's grid: columns, and the size of a panel and of a row's title in it. */
const grid = { columns: 24, panelWidth: 8, panelHeight: 8, titleHeight: 1 };

/** The version of Grafana's own format: that of Grafana 10, which later ones read. */
const schemaVersion = 38;

const datasource = { type: 'prometheus', uid: '${datasource}' };

/** What Grafana imports: a dashboard whose data source is chosen in it. */
export function grafanaJson({ service, rows }: Dashboard): object {
  const panels: object[] = [];
  let y = 0;
  for (const { title, panels: shown } of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: grid.columns, h: grid.titleHeight },
      panels: [],
    });
    y += grid.titleHeight;
    for (const [index, panel] of shown.entries()) {
      const perLine = grid.columns / grid.panelWidth;
      const line = Math.floor(index / perLine);
      panels.push({
        id: panels.length + 1,
        ...graph(panel),
        gridPos: {
          x: (index % perLine) * grid.panelWidth,
          y: y + line * grid.panelHeight,
          w: grid.panelWidth,
          h: grid.panelHeight,
        },
      });
    }
    y += Math.ceil((shown.length * grid.panelWidth) / grid.columns) * grid.panelHeight;
  }
  return {
    uid: `waggle-${service}`,
    title: `Waggle: ${service}`,
    tags: ['waggle'],
    schemaVersion,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'utc',
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', refresh: 1, hide: 0 },
        {
          name: 'namespace',
          label: 'Namespace',
          type: 'query',
          datasource,
          query: `label_values(up{job="waggle-${service}"}, namespace)`,
          // What is in none is shown too, as where no operator gives Prometheus its targets.
          allValue: '.*',
          includeAll: true,
          multi: true,
          current: { text: 'All', value: '$__all' },
          refresh: 2,
          hide: 0,
        },
      ],
    },
    annotations: { list: [] },
    links: [],
    panels,
  };
}

function graph({ title, unit, lines }: Panel): object {
  return {
    type: 'timeseries',
    title,
    datasource,
    fieldConfig: { defaults: { unit, min: 0, custom: { lineWidth: 1, fillOpacity: 5 } }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: Object.entries(lines).map(([expr, legendFormat], index) => ({
      refId: 'ABCDEFGH'.charAt(index),
      datasource,
      // Of each installation that Prometheus sees, or of some.
      expr: expr.replaceAll('{job', '{namespace=~"$namespace", job'),
      legendFormat,
    })),
  };
}
