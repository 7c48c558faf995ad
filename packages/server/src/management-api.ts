import {
  createConsoleAuthentication,
  readOpenIdProvider,
  registerConsoleRoutes,
  registerConsoleSessionRoutes,
  registerOpenIdRoutes,
  registerOrganizationUserRoutes,
} from '@salus/accounts/console'
import { registerLegalHoldRoutes } from '@salus/accounts/legal-holds'
import { registerSavedViewRoutes } from '@salus/accounts/saved-views'
import { TaskFilters } from '@salus/accounts/tasks'
import {
  createManagementAuthentication,
  registerManagedEnvironments,
  registerManagementRoutes,
} from '@salus/accounts/teams'
import { peopleFiltersOf } from '@salus/accounts/users'
import { registerSmartClientRoutes } from '@salus/fhir/clients'
import { registerContinuousQueryManagementRoutes } from '@salus/health/continuous-queries'
import { registerTeamSettingsRoutes } from '@salus/health/link'
import type { App } from '@salus/kernel/http/app-types'
import { keepSecret } from '@salus/kernel/http/compression'
import { registerCatalogImportRoutes, registerLabTestApprovalRoutes } from '@salus/lab/catalog'
import { registerCompendiumImportRoutes } from '@salus/lab/compendium-import'
import { registerLabConnectionRoutes } from '@salus/lab/connections'
import { registerLabMessageRoutes } from '@salus/lab/inbox'
import { registerDiagnosisImportRoutes, registerPayorImportRoutes } from '@salus/lab/insurance'
import { OrderFilters, registerStuckOrderRoutes } from '@salus/lab/orders'
import { registerReportReviewRoutes } from '@salus/lab/reports'
import { registerMatchReviewOperatorRoutes } from '@salus/lab/results'
import { registerCenterImportRoutes } from '@salus/lab/service-centers'
import { type DemoTeamContext, registerDemoTeamRoutes } from '@salus/ops/demo-team'
import { registerRetentionRoutes } from '@salus/rights/retention'
import { registerMissingEventRoutes } from './missing-events/index.ts'
import {
  type RequestRates,
  registerEnvironmentAuditRoutes,
  registerOperationRoutes,
} from './operation/index.ts'
import { registerOverviewRoutes } from './overview/index.ts'
import type { Services } from './services.ts'
import { EVENT_CATALOG } from './webhooks/event-catalog/index.ts'
import { EventFilters, registerWebhookRoutes } from './webhooks/index.ts'

/** All event types that webhooks and teams can select. */
const EVENT_TYPES = EVENT_CATALOG.map(({ name }) => name)

/**
 * Registers the API of organizations, for people who manage teams: with a management key or a
 * session of the console.
 */
export async function registerManagementApi(
  app: App,
  dependencies: Services & Pick<DemoTeamContext, 'fillDemoTeam'> & { rates: RequestRates },
  forgetCredentials: () => void,
): Promise<void> {
  const { db, clock, config, log, secrets } = dependencies
  const provider = readOpenIdProvider(config)
  const console = { db, clock, config, secrets, forgetCredentials, provider }
  const findSession = createConsoleAuthentication({ db, clock, config })
  const authenticate = createManagementAuthentication({
    db,
    aliasesEnabled: config.aliasesEnabled,
    findSession,
  })
  await app.register(async (scope: App) => {
    keepSecret(scope)
    registerConsoleRoutes(scope, console, findSession)
    if (provider !== undefined) registerOpenIdRoutes(scope, { ...console, provider, log })
  })
  await app.register(async (scope: App) => {
    keepSecret(scope)
    scope.addHook('onRequest', authenticate)
    registerConsoleSessionRoutes(scope, console)
    registerOrganizationUserRoutes(scope, console)
    registerManagementRoutes(scope, { db, clock, forgetCredentials, eventTypes: EVENT_TYPES })
    registerCatalogImportRoutes(scope, dependencies)
    registerCompendiumImportRoutes(scope, { db, clock })
    registerPayorImportRoutes(scope, { db, clock })
    registerDiagnosisImportRoutes(scope, { db, clock })
    registerCenterImportRoutes(scope, { db })
    registerTeamSettingsRoutes(scope, dependencies)
    registerDemoTeamRoutes(scope, dependencies)
    registerOperationRoutes(scope, dependencies)
  })
  await app.register(async (scope: App) => {
    keepSecret(scope)
    await registerManagedEnvironments(scope, dependencies, authenticate, (managed, reauthorize) => {
      registerWebhookRoutes(managed, { ...dependencies, catalog: EVENT_CATALOG, reauthorize })
      registerMissingEventRoutes(managed, { config, catalog: EVENT_CATALOG })
      registerLabTestApprovalRoutes(managed)
      registerStuckOrderRoutes(managed, dependencies)
      registerSavedViewRoutes(managed, filtersOfLists(dependencies))
      registerLabMessageRoutes(managed, dependencies)
      registerLabConnectionRoutes(managed, dependencies.labConnections)
      registerContinuousQueryManagementRoutes(managed)
      registerMatchReviewOperatorRoutes(managed)
      registerReportReviewRoutes(managed, dependencies)
      registerEnvironmentAuditRoutes(managed)
      registerOverviewRoutes(managed)
      registerLegalHoldRoutes(managed)
      registerRetentionRoutes(managed)
      registerSmartClientRoutes(managed)
    })
  })
}

/** Filters of the lists that have saved views. */
const filtersOfLists = ({ userParts }: Services) => ({
  orders: OrderFilters,
  people: peopleFiltersOf(userParts.connections.schemas),
  tasks: TaskFilters,
  events: EventFilters,
})
