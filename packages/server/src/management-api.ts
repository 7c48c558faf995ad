import {
  createConsoleAuthentication,
  readOpenIdProvider,
  registerConsoleRoutes,
  registerConsoleSessionRoutes,
  registerOpenIdRoutes,
} from './accounts/console/index.ts'
import { registerLegalHoldRoutes } from './accounts/legal-holds/index.ts'
import { registerRetentionRoutes } from './accounts/retention/index.ts'
import {
  createManagementAuthentication,
  registerManagedEnvironments,
  registerManagementRoutes,
} from './accounts/teams/index.ts'
import { type DemoTeamContext, registerDemoTeamRoutes } from './demo-team/index.ts'
import { registerContinuousQueryManagementRoutes } from './health/continuous-queries/index.ts'
import { registerTeamSettingsRoutes } from './health/link/index.ts'
import { registerCatalogImportRoutes, registerLabTestApprovalRoutes } from './lab/catalog/index.ts'
import { registerLabMessageRoutes } from './lab/inbox/index.ts'
import { registerDiagnosisImportRoutes, registerPayorImportRoutes } from './lab/insurance/index.ts'
import { registerSavedViewRoutes, registerStuckOrderRoutes } from './lab/orders/index.ts'
import { registerReportReviewRoutes } from './lab/reports/index.ts'
import { registerMatchReviewOperatorRoutes } from './lab/results/index.ts'
import { registerCenterImportRoutes } from './lab/service-centers/index.ts'
import { registerMissingEventRoutes } from './missing-events/index.ts'
import {
  type RequestRates,
  registerEnvironmentAuditRoutes,
  registerOperationRoutes,
} from './operation/index.ts'
import type { App } from './platform/http/app-types.ts'
import { forbidStoring } from './platform/http/security-headers.ts'
import type { Services } from './services.ts'
import { EVENT_CATALOG } from './webhooks/event-catalog/index.ts'
import { registerWebhookRoutes } from './webhooks/index.ts'

/** All that webhooks and teams can ask for. */
const EVENT_TYPES = EVENT_CATALOG.map(({ name }) => name)

/** The API of organizations, for people who manage teams: under a management key or a session of the console. */
export async function registerManagementApi(
  app: App,
  dependencies: Services & Pick<DemoTeamContext, 'fillDemoTeam'> & { rates: RequestRates },
  forgetCredentials: () => void,
): Promise<void> {
  const { db, clock, config, log } = dependencies
  const provider = readOpenIdProvider(config)
  const console = { db, clock, config, forgetCredentials, provider }
  const findSession = createConsoleAuthentication({ db, clock, config })
  const authenticate = createManagementAuthentication({
    db,
    aliasesEnabled: config.aliasesEnabled,
    findSession,
  })
  await app.register(async (scope: App) => {
    scope.addHook('onRequest', forbidStoring)
    registerConsoleRoutes(scope, console, findSession)
    if (provider !== undefined) registerOpenIdRoutes(scope, { ...console, provider, log })
  })
  await app.register(async (scope: App) => {
    scope.addHook('onRequest', forbidStoring)
    scope.addHook('onRequest', authenticate)
    registerConsoleSessionRoutes(scope, console)
    registerManagementRoutes(scope, { db, clock, forgetCredentials, eventTypes: EVENT_TYPES })
    registerCatalogImportRoutes(scope, { db, clock })
    registerPayorImportRoutes(scope, { db, clock })
    registerDiagnosisImportRoutes(scope, { db, clock })
    registerCenterImportRoutes(scope, { db })
    registerTeamSettingsRoutes(scope, dependencies)
    registerDemoTeamRoutes(scope, dependencies)
    registerOperationRoutes(scope, dependencies)
  })
  await app.register(async (scope: App) => {
    scope.addHook('onRequest', forbidStoring)
    await registerManagedEnvironments(scope, dependencies, authenticate, (managed, reauthorize) => {
      registerWebhookRoutes(managed, { ...dependencies, catalog: EVENT_CATALOG, reauthorize })
      registerMissingEventRoutes(managed, { config, catalog: EVENT_CATALOG })
      registerLabTestApprovalRoutes(managed)
      registerStuckOrderRoutes(managed, dependencies)
      registerSavedViewRoutes(managed)
      registerLabMessageRoutes(managed, dependencies)
      registerContinuousQueryManagementRoutes(managed)
      registerMatchReviewOperatorRoutes(managed)
      registerReportReviewRoutes(managed, dependencies)
      registerEnvironmentAuditRoutes(managed)
      registerLegalHoldRoutes(managed)
      registerRetentionRoutes(managed)
    })
  })
}
