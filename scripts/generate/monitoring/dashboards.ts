import type { Dashboard, Panel } from './dashboards.registry.ts'

const DATASOURCE = { type: 'prometheus', uid: '$datasource' }
const [WIDTH, HEIGHT, COLUMNS] = [12, 8, 2]

/** Generates a dashboard for Grafana; the data source and the processes are chosen at its top. */
export function makeDashboard({ name, title, rows }: Dashboard): string {
  let y = 0
  let id = 0
  const panels: object[] = []
  for (const row of rows) {
    const head = { h: 1, w: WIDTH * COLUMNS, x: 0, y }
    panels.push({
      id: ++id,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: head,
      panels: [],
    })
    y += 1
    for (const [index, panel] of row.panels.entries()) {
      const [x, line] = [(index % COLUMNS) * WIDTH, Math.floor(index / COLUMNS)]
      const gridPos = { h: HEIGHT, w: WIDTH, x, y: y + line * HEIGHT }
      panels.push({ id: ++id, ...makePanel(panel), gridPos })
    }
    y += Math.ceil(row.panels.length / COLUMNS) * HEIGHT
  }
  return JSON.stringify({
    uid: `salus-${name}`,
    title,
    tags: ['salus'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: VARIABLES },
    panels,
  })
}

function makePanel({ title, description, unit, series }: Panel): object {
  return {
    type: 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: series.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  }
}

const ALL = { text: 'All', value: '$__all' }
const variable = (name: string, query: string): object => ({
  name,
  type: 'query',
  datasource: DATASOURCE,
  query,
  definition: query,
  refresh: 2,
  includeAll: true,
  multi: true,
  allValue: '.*',
  current: ALL,
})

const VARIABLES = [
  { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' },
  variable('job', 'label_values(process_start_time_seconds, job)'),
  variable('instance', 'label_values(process_start_time_seconds{job=~"$job"}, instance)'),
]
