import { EVENT_CATALOG } from '../../packages/server/src/webhooks/event-catalog/index.ts'
import { describeAppleHealth } from './apple-health.ts'
import { describeAppointmentLabs } from './appointment-labs.ts'
import { describeCliSeries } from './cli-series.ts'
import { describeConsoleSeries } from './console-series.ts'
import { describeErrors } from './errors.ts'
import { describeEvents } from './events.ts'
import { describeImports } from './imports.ts'
import { describeMcpSeries } from './mcp-series.ts'
import { makeAlerts } from './monitoring/alerts.ts'
import { DASHBOARDS } from './monitoring/dashboards.registry.ts'
import { makeDashboard } from './monitoring/dashboards.ts'
import { makeOpenApi } from './openapi.ts'
import { describeInterface } from './openapi-digest.ts'
import { describeOrderLifecycle } from './order-lifecycle.ts'
import { describePersonData } from './person-data.ts'
import { describeProviders } from './providers.ts'
import { describeRoles } from './roles.ts'
import { describeSdkApiTypes } from './sdk-api-types.ts'
import { describeSdkEvents } from './sdk-events.ts'
import { describeSdkQueryTables } from './sdk-query-tables.ts'
import { describeSdkResources } from './sdk-resources.ts'
import { describeSeries } from './series.ts'
import { describeSettings } from './settings.ts'
import { describeStateZones } from './state-zones.ts'

type Makers = Record<string, () => string>

const openApi = await makeOpenApi()

/**
 * Documents for people and deployments. They are in git, so that a diff shows the effect of a
 * change.
 */
export const TRACKED: Makers = {
  'docs/settings.md': describeSettings,
  'docs/series.md': describeSeries,
  'docs/providers.md': describeProviders,
  'docs/person-data.md': describePersonData,
  'docs/apple-health.md': describeAppleHealth,
  'docs/imports.md': describeImports,
  'docs/errors.md': () => describeErrors(JSON.parse(openApi)),
  'docs/events.md': describeEvents,
  'docs/roles.md': () => describeRoles(JSON.parse(openApi)),
  'docs/order-lifecycle.md': describeOrderLifecycle,
  'docs/openapi.digest.txt': () => describeInterface(JSON.parse(openApi)),
  'deploy/prometheus/alerts.yaml': makeAlerts,
  ...Object.fromEntries(
    DASHBOARDS.map((dashboard) => [
      `deploy/grafana/salus-${dashboard.name}.json`,
      () => makeDashboard(dashboard),
    ]),
  ),
}

/** Files for programs. Git ignores them (.gitignore), and every install creates them. */
export const IGNORED: Makers = {
  'docs/openapi.json': () => openApi,
  'packages/sdk/src/api/types.generated.ts': () => describeSdkApiTypes(JSON.parse(openApi)),
  'packages/sdk/src/api/resources.generated.ts': () => describeSdkResources(JSON.parse(openApi)),
  'packages/sdk/src/events.generated.ts': () => describeSdkEvents(EVENT_CATALOG),
  'packages/sdk/src/query/query-tables.generated.ts': describeSdkQueryTables,
  'packages/cli/src/queries/summed-series.generated.ts': describeCliSeries,
  'packages/mcp/src/tools/series.generated.ts': describeMcpSeries,
  'packages/web/src/console/laboratories/order/appointment/appointment-labs.generated.ts':
    describeAppointmentLabs,
  'packages/web/src/console/components/state-zones.generated.ts': describeStateZones,
  'packages/web/src/console/people/person/imports/table/mappable-series.generated.ts':
    describeConsoleSeries,
}
