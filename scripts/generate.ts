import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EVENT_CATALOG } from '../packages/server/src/webhooks/event-catalog/index.ts'
import { describeAppleHealth } from './generate/apple-health.ts'
import { describeCliSeries } from './generate/cli-series.ts'
import { describeErrors } from './generate/errors.ts'
import { describeEvents } from './generate/events.ts'
import { formatDocument } from './generate/format.ts'
import { describeMcpSeries } from './generate/mcp-series.ts'
import { makeAlerts } from './generate/monitoring/alerts.ts'
import { DASHBOARDS } from './generate/monitoring/dashboards.registry.ts'
import { makeDashboard } from './generate/monitoring/dashboards.ts'
import { makeOpenApi } from './generate/openapi.ts'
import { describeOrderLifecycle } from './generate/order-lifecycle.ts'
import { describePersonData } from './generate/person-data.ts'
import { describeProviders } from './generate/providers.ts'
import { describeSdkApiTypes } from './generate/sdk-api-types.ts'
import { describeSdkEvents } from './generate/sdk-events.ts'
import { describeSdkQueryTables } from './generate/sdk-query-tables.ts'
import { describeSdkResources } from './generate/sdk-resources.ts'
import { describeSeries } from './generate/series.ts'
import { describeSettings } from './generate/settings.ts'
import { describeStateZones } from './generate/state-zones.ts'

/**
 * Writes the documents that are made from the tables in the code. With --check it writes nothing,
 * names the documents that are out of date, and exits with 1 when there are any.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const openApi = await makeOpenApi()

const DOCUMENTS: Record<string, () => string | Promise<string>> = {
  'docs/settings.md': describeSettings,
  'docs/series.md': describeSeries,
  'docs/providers.md': describeProviders,
  'docs/person-data.md': describePersonData,
  'docs/apple-health.md': describeAppleHealth,
  'docs/errors.md': describeErrors,
  'docs/events.md': describeEvents,
  'docs/order-lifecycle.md': describeOrderLifecycle,
  'packages/sdk/src/events.generated.ts': () => describeSdkEvents(EVENT_CATALOG),
  'packages/sdk/src/query/query-tables.generated.ts': describeSdkQueryTables,
  'packages/cli/src/queries/summed-series.generated.ts': describeCliSeries,
  'packages/mcp/src/tools/series.generated.ts': describeMcpSeries,
  'packages/web/src/console/components/state-zones.generated.ts': describeStateZones,
  'docs/openapi.json': () => openApi,
  'packages/sdk/src/api/types.generated.ts': () => describeSdkApiTypes(JSON.parse(openApi)),
  'packages/sdk/src/api/resources.generated.ts': () => describeSdkResources(JSON.parse(openApi)),
  'deploy/prometheus/alerts.yaml': makeAlerts,
  ...Object.fromEntries(
    DASHBOARDS.map((dashboard) => [
      `deploy/grafana/salus-${dashboard.name}.json`,
      () => makeDashboard(dashboard),
    ]),
  ),
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const isCheck = process.argv.includes('--check')
const outdated: string[] = []
for (const [name, make] of Object.entries(DOCUMENTS)) {
  const path = join(ROOT, name)
  const content = formatDocument(name, await make())
  // A checkout may have given the lines other ends; that is no difference.
  if (readOrNothing(path)?.replaceAll('\r\n', '\n') === content) continue
  outdated.push(name)
  if (isCheck) continue
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  console.log(`wrote ${name}`)
}

if (outdated.length === 0) console.log('All generated documents are up to date.')
else if (isCheck) {
  console.error(`Out of date: ${outdated.join(', ')}. Run: node scripts/generate.ts`)
  process.exitCode = 1
}
