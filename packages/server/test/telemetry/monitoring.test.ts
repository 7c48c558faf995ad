import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { watchEventLoop } from '@salus/kernel/http/event-loop-watch'
import { createLogger } from '@salus/kernel/log'
import { Replicas } from '@salus/kernel/postgres/replicas/replicas'
import { StatementObserver } from '@salus/kernel/telemetry/statement-observer'
import type { Registry } from 'prom-client'
import { createHarness } from '../harness.ts'
import { useFixture } from '../use-fixture.ts'

/** Dashboards and alerts ask for what the server counts, and for nothing that is gone. */

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
/** What Prometheus says of each process itself. */
const OF_PROMETHEUS = new Set(['up'])
const TARGET_LABELS = ['job', 'instance']

const alerts = [
  ...read('deploy/prometheus/alerts.yaml').matchAll(
    /- alert: (\w+)\n\s+expr: (".*")\n[\s\S]*?runbook: "docs\/observability\.md#(\w+)"/g,
  ),
].map(([, name = '', expression = '', anchor = '']) => ({
  name,
  expression: JSON.parse(expression) as string,
  anchor,
}))

const dashboards = globSync('deploy/grafana/*.json', { cwd: ROOT }).map((path) => ({
  path,
  content: JSON.parse(read(path)),
}))
const panels = dashboards.flatMap(({ path, content }) =>
  content.panels
    .filter(({ type }: { type: string }) => type !== 'row')
    .map((panel: { title: string; targets: { expr: string }[] }) => ({ path, ...panel })),
)

const salus = useFixture(createHarness)
/** Labels of each metric, by the names under which Prometheus keeps it. */
const labelsOf = new Map<string, string[]>()
before(() => {
  const registry: Registry = salus.dependencies.registry
  new StatementObserver({ log: createLogger('silent'), slowMs: 0 }).register(registry)
  watchEventLoop(registry)
  const { database: primary } = salus
  const log = createLogger('silent')
  const given = { urls: [], primary, maxLagSeconds: 10, poolSize: 5, schemaVersion: 0, log }
  new Replicas(given).register(registry)
  salus.startWebhooks({ registry } as object)
  salus.startPuller({ registry })
  for (const metric of registry.getMetricsAsArray()) {
    const {
      name,
      type,
      labelNames = [],
    } = metric as unknown as {
      name: string
      type: string
      labelNames?: string[]
    }
    const suffixes = type === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']
    for (const suffix of suffixes) {
      labelsOf.set(`${name}${suffix}`, [...labelNames, ...(suffix === '_bucket' ? ['le'] : [])])
    }
  }
})

const WORDS =
  /\b(?:sum|min|max|rate|increase|topk|histogram_quantile|min_over_time|by|or|vector)\b/g

/** What an expression asks for that is not counted, as text. */
function findBreaches(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"|\[[^\]]*\]/g, '')
  const known: string[] = []
  const breaches: string[] = []
  const withoutLists = bare.replaceAll(/\bby \(([^)]*)\)/g, '').replaceAll(/\{[^}]*\}/g, '')
  for (const [name] of withoutLists.replaceAll(WORDS, '').matchAll(/\b[a-z]\w+/g)) {
    if (OF_PROMETHEUS.has(name)) continue
    const labels = labelsOf.get(name)
    if (labels === undefined) breaches.push(`no metric ${name}`)
    else known.push(...labels)
  }
  const lists = [...bare.matchAll(/\bby \(([^)]*)\)/g), ...bare.matchAll(/\{([^}]*)\}/g)]
  for (const [, list = ''] of lists) {
    for (const [label] of list.matchAll(/\b[a-z]\w*/g)) {
      if (![...known, ...TARGET_LABELS].includes(label)) breaches.push(`no label ${label}`)
    }
  }
  return breaches
}

test('the check finds a metric and a label that are gone', () => {
  assert.deepEqual(findBreaches('sum by (kind) (rate(salus_gone_total{state="a"}[5m]))'), [
    'no metric salus_gone_total',
    'no label kind',
    'no label state',
  ])
  assert.deepEqual(findBreaches('max(salus_jobs{state="given_up"}) > 0'), [])
})

test('every panel draws what is counted', () => {
  assert.ok(panels.length > 20)
  const breaches = panels.flatMap(({ path, title, targets }) =>
    targets.flatMap(({ expr }: { expr: string }) =>
      findBreaches(expr).map((breach) => `${path}, ${title}: ${breach}`),
    ),
  )
  assert.deepEqual(breaches, [])
})

test('every metric of Salus is on a dashboard or in an alert', () => {
  const asked = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }: { expr: string }) => expr)),
    ...alerts.map(({ expression }) => expression),
  ].join('\n')
  const names = [...labelsOf.keys()].map((name) => name.replace(/_(bucket|count|sum)$/, ''))
  const unseen = new Set(names.filter((name) => name.startsWith('salus_') && !asked.includes(name)))
  assert.deepEqual([...unseen], [])
})

test('panels of a dashboard neither share an id nor lie on each other', () => {
  for (const { path, content } of dashboards) {
    const ids = content.panels.map(({ id }: { id: number }) => id)
    assert.equal(new Set(ids).size, ids.length, path)
    const positions = content.panels.map(
      ({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`,
    )
    assert.equal(new Set(positions).size, positions.length, path)
  }
})

test('every alert asks for what is counted, and the guide says what to do', () => {
  assert.ok(alerts.length > 10)
  const guide = read('docs/observability.md')
  for (const { name, expression, anchor } of alerts) {
    assert.deepEqual(findBreaches(expression), [], name)
    assert.equal(anchor, name.toLowerCase())
    assert.match(guide, new RegExp(`^#+ ${name}$`, 'm'))
  }
})
