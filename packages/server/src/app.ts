import cookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { registerTaskRoutes } from '@salus/accounts/tasks'
import {
  createTeamAuthentication,
  type OwnersOfIds,
  registerTeamRoutes,
} from '@salus/accounts/teams'
import { registerUserRoutes } from '@salus/accounts/users'
import { registerFhirRoutes } from '@salus/fhir/interface'
import { registerBulkUploadRoutes } from '@salus/health/bulk-uploads'
import { registerConnectionRoutes } from '@salus/health/connections'
import {
  EVALUATE_BY_PRIORITIES,
  registerContinuousQueryRoutes,
} from '@salus/health/continuous-queries'
import { registerIntrospectionRoutes } from '@salus/health/coverage'
import { registerImportRoutes, registerPostingRoute } from '@salus/health/imports'
import { registerIngestRoutes } from '@salus/health/ingest'
import { extendDemo, registerLinkRoutes, registerTeamLinkRoutes } from '@salus/health/link'
import {
  createMobileAuthentication,
  registerMobileRoutes,
  registerPublicMobileRoutes,
} from '@salus/health/mobile'
import { registerPushRoutes, registerUserRefreshRoutes } from '@salus/health/pulling'
import { registerQueryRoutes, registerQueryTableRoutes } from '@salus/health/queries'
import { registerRuleRoutes } from '@salus/health/rules'
import { registerSourcePriorityRoutes } from '@salus/health/source-priorities'
import {
  registerSummaryReadRoutes,
  registerSummaryUploadRoutes,
  requireSleepOf,
  requireWorkoutOf,
} from '@salus/health/summaries'
import {
  registerChartRoutes,
  registerMergedTimeseriesRoutes,
  registerTimeseriesRoutes,
} from '@salus/health/timeseries'
import { registerAudit } from '@salus/kernel/audit/audited-requests'
import type { App } from '@salus/kernel/http/app-types'
import { answerClientError } from '@salus/kernel/http/client-errors'
import { keepSecret, keepUncompressed, registerCompression } from '@salus/kernel/http/compression'
import { registerContentNegotiation } from '@salus/kernel/http/content-negotiation'
import { registerBodyTags } from '@salus/kernel/http/entity-tags'
import { answerError, registerErrorHandler } from '@salus/kernel/http/error-handler'
import { registerHealth } from '@salus/kernel/http/health'
import { ROUTER_OPTIONS, registerNotFound } from '@salus/kernel/http/method-not-allowed'
import { registerMetrics } from '@salus/kernel/http/metrics'
import { registerQueryWarnings } from '@salus/kernel/http/query-warnings'
import { registerRateLimits } from '@salus/kernel/http/rate-limits'
import { registerReplicaReads } from '@salus/kernel/http/replica-reads'
import { DEFAULT_BODY_LIMIT, registerRequestBodies } from '@salus/kernel/http/request-body'
import { registerRequestLog, requestIdFrom } from '@salus/kernel/http/request-log'
import { registerRequestTracing } from '@salus/kernel/http/request-tracing'
import { registerRouteActions } from '@salus/kernel/http/route-actions'
import { forbidStoring, registerSecurityHeaders } from '@salus/kernel/http/security-headers'
import { buildLazySerializer } from '@salus/kernel/http/serialization'
import { registerSlowRequests, SLOW_HEADERS } from '@salus/kernel/http/slow-requests'
import { type EndOfProcess, registerStopping } from '@salus/kernel/http/stopping'
import { createValidatorCompiler } from '@salus/kernel/http/validation'
import { newId } from '@salus/kernel/ids'
import { registerSignInFailures } from '@salus/kernel/sign-in/sign-in-failures'
import { registerBookingRoutes } from '@salus/lab/booking'
import { registerLabCatalogRoutes } from '@salus/lab/catalog'
import { registerConnectionPosts } from '@salus/lab/connections'
import { registerDocumentListRoutes } from '@salus/lab/document-list'
import { registerDiagnosisRoutes, registerInsuranceRoutes } from '@salus/lab/insurance'
import { registerOrderRoutes, requireOrderOf, requireOrderTransactionOf } from '@salus/lab/orders'
import { registerLabReportRoutes, registerLabReportUpload, requireJobOf } from '@salus/lab/reports'
import { registerResultHistoryRoutes } from '@salus/lab/result-history'
import { RESULT_TASK_EVENTS, registerResultRoutes, requireCriticalTaskOf } from '@salus/lab/results'
import { registerSandboxRoutes } from '@salus/lab/sandbox'
import { registerServiceCenterRoutes } from '@salus/lab/service-centers'
import type { DemoTeamContext } from '@salus/ops/demo-team'
import { registerErasureRoutes, registerReceiptKeyRoute } from '@salus/rights/erasure'
import { registerExportLinkRoute, registerExportRoutes } from '@salus/rights/exports'
import { registerPortalRoutes, registerTeamPortalRoutes } from '@salus/rights/portal'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { registerBatchRoute } from './batch.routes.ts'
import { registerManagementApi } from './management-api.ts'
import { registerMcpRoutes } from './mcp.routes.ts'
import { registerDocs, registerHome, registerOpenApi } from './openapi/index.ts'
import { RequestRates } from './operation/index.ts'
import { registerPersonPageRoutes } from './people/index.ts'
import { REPLICA_READS } from './replica-reads.registry.ts'
import { registerRoutePermissions } from './route-permissions.ts'
import type { Services } from './services.ts'
import { registerProviderLogos, registerWebPages } from './web-pages/index.ts'
import { EVENT_CATALOG } from './webhooks/event-catalog/index.ts'

/** Dependencies of the HTTP application. */
export interface AppDependencies
  extends Services,
    EndOfProcess,
    Pick<DemoTeamContext, 'fillDemoTeam'> {
  /** Folder of the built pages, if not that in which `npm ci` builds them. */
  pagesFolder?: string
}

/** Maximum size of URL and headers: 500 order_ids take 24 KiB, more than Node.js allows. */
const MOST_HEADER_BYTES = 64 * 1024

function createServer({ log, config: { trustedProxies } }: Services): App {
  const app: App = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    bodyLimit: DEFAULT_BODY_LIMIT,
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: ROUTER_OPTIONS,
    frameworkErrors: answerError,
    http: { ...SLOW_HEADERS, maxHeaderSize: MOST_HEADER_BYTES },
    clientErrorHandler: answerClientError,
    // Otherwise the framework answers with its own body; registerStopping answers with ours.
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializer } },
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']) ?? newId(),
  }).withTypeProvider<TypeBoxTypeProvider>()
  registerRouteActions(app)
  return app.setValidatorCompiler(createValidatorCompiler())
}

/** Builds the application of a process that is only a worker: liveness, readiness and metrics. */
export function buildProbesApp(dependencies: AppDependencies): App {
  const app = createServer(dependencies)
  registerErrorHandler(app)
  registerNotFound(app)
  registerStopping(app, dependencies)
  registerHealth(app, dependencies)
  registerMetrics(app, dependencies.registry, dependencies.config)
  return app
}

/** Builds the application: the ordered list of plugins and domain routes, and nothing else. */
export async function buildApp(dependencies: AppDependencies): Promise<App> {
  const { config } = dependencies
  const app = createServer(dependencies)

  registerRoutePermissions(app)
  registerRequestTracing(app)
  registerErrorHandler(app)
  registerNotFound(app)
  registerRequestLog(app)
  registerStopping(app, dependencies)
  registerContentNegotiation(app)
  registerSlowRequests(app)
  registerQueryWarnings(app)
  registerRequestBodies(app)
  await registerSecurityHeaders(app)
  await app.register(cookie)
  await registerOpenApi(app)
  registerLimits(app, dependencies)
  registerBodyTags(app)
  registerCompression(app, dependencies)
  registerReplicaReads(app, dependencies, REPLICA_READS)

  registerHealth(app, dependencies)
  registerMetrics(app, dependencies.registry, config)
  const rates = new RequestRates()
  rates.watch(app)
  registerProviderLogos(app)
  registerHome(app, config)
  dependencies.emulator?.mount(app as unknown as FastifyInstance)
  registerWebPages(app, dependencies)
  await registerPushRoutes(app, dependencies)
  await registerLabPosts(app, dependencies)

  await app.register((scope: App) => registerPublicMobileRoutes(scope, dependencies))
  await registerOpenRoutes(app, dependencies)
  await app.register((portal: App) => registerPortalRoutes(portal, dependencies))

  const findApp = createMobileAuthentication(dependencies)
  const teams = createTeamAuthentication(dependencies, config, findApp, OWNERS_OF_IDS)
  await registerTeamApi(app, dependencies, teams)
  await registerFhirRoutes(app, dependencies, teams.authenticate)
  await registerLinking(app, dependencies, teams)
  await registerManagementApi(app, { ...dependencies, rates }, teams.forget)
  registerDocs(app, dependencies)
  return app
}

/** Registers what needs a credential of a team. */
async function registerTeamApi(
  app: App,
  dependencies: AppDependencies,
  teams: ReturnType<typeof createTeamAuthentication>,
): Promise<void> {
  await app.register(async (scope: App) => {
    scope.addHook('onRequest', forbidStoring)
    teams.protect(scope)
    await scope.register(async (secrets: App) => registerSecretRoutes(secrets, dependencies))
    registerPeopleRoutes(scope, dependencies)
    registerHealthRoutes(scope, dependencies)
    registerLabRoutes(scope, dependencies, teams.forget)
    registerPersonPageRoutes(scope, { config: dependencies.config, catalog: EVENT_CATALOG })
    // In scopes of their own, because only these routes accept files.
    await scope.register((files: App) => registerImportRoutes(files, dependencies))
    await scope.register((files: App) => registerBulkUploadRoutes(files, dependencies))
    await scope.register((files: App) => registerLabReportUpload(files, dependencies))
  })
}

/** Registers the link page's requests, which come with a link token or a credential of the team. */
async function registerLinking(
  app: App,
  dependencies: AppDependencies,
  { authenticate }: ReturnType<typeof createTeamAuthentication>,
): Promise<void> {
  await app.register(async (scope: App) => {
    keepSecret(scope)
    registerLinkRoutes(scope, dependencies, authenticate)
  })
}

/** Registers routes without a key: their address is a secret, or their answer is public. */
async function registerOpenRoutes(app: App, dependencies: AppDependencies): Promise<void> {
  registerExportLinkRoute(app, dependencies)
  await registerPostingRoute(app, dependencies)
  registerReceiptKeyRoute(app, dependencies)
}

/** Registers the log, rate limits and limits of failed sign-ins. */
function registerLimits(app: App, dependencies: AppDependencies): void {
  registerAudit(app, dependencies)
  registerRateLimits(app, dependencies)
  registerSignInFailures(app, dependencies)
}

/** Registers the team, and tokens for its users, whose answers may have secrets. */
function registerSecretRoutes(scope: App, dependencies: AppDependencies): void {
  keepUncompressed(scope)
  registerTeamRoutes(scope, dependencies.config)
  registerMobileRoutes(scope, dependencies)
  registerTeamLinkRoutes(scope, dependencies)
  registerTeamPortalRoutes(scope, dependencies)
  registerMcpRoutes(scope, dependencies)
  registerBatchRoute(scope)
}

/** Registers users, their data rights, and the tasks of the team. */
function registerPeopleRoutes(scope: App, dependencies: AppDependencies): void {
  registerUserRoutes(scope, dependencies)
  registerExportRoutes(scope, dependencies)
  registerErasureRoutes(scope, dependencies)
  registerTaskRoutes(scope, RESULT_TASK_EVENTS)
}

/** Owners of objects that a path names without their user, for keys limited to one user. */
const OWNERS_OF_IDS: OwnersOfIds = {
  order_id: requireOrderOf,
  transaction_id: requireOrderTransactionOf,
  workout_id: requireWorkoutOf,
  sleep_id: requireSleepOf,
  job_id: requireJobOf,
  task_id: requireCriticalTaskOf,
}

/** Registers wearables: connections of users, and their data. */
function registerHealthRoutes(scope: App, dependencies: AppDependencies): void {
  registerConnectionRoutes(scope, dependencies)
  registerUserRefreshRoutes(scope, (user, userId) => extendDemo(user, dependencies, userId))
  registerIngestRoutes(scope, dependencies)
  registerSourcePriorityRoutes(scope, EVALUATE_BY_PRIORITIES)
  registerTimeseriesRoutes(scope, dependencies)
  registerMergedTimeseriesRoutes(scope)
  registerChartRoutes(scope)
  registerSummaryReadRoutes(scope, dependencies)
  registerSummaryUploadRoutes(scope, dependencies)
  registerIntrospectionRoutes(scope)
  registerQueryRoutes(scope, dependencies)
  registerQueryTableRoutes(scope)
  registerContinuousQueryRoutes(scope)
  registerRuleRoutes(scope, dependencies)
}

/** Registers the posts of laboratories, after their connections are known. */
async function registerLabPosts(app: App, dependencies: AppDependencies): Promise<void> {
  const { labConnections, gateways, clock } = dependencies
  // Orders must not wait for the connections inside of their transactions. Without the database
  // the first request tries again.
  await gateways.connected.ready().catch(() => undefined)
  await registerConnectionPosts(app, { ...labConnections, clock })
}

/** Registers laboratories: lab tests, orders, their documents and results, and the sandbox. */
function registerLabRoutes(scope: App, dependencies: AppDependencies, forget: () => void): void {
  const { sandboxAutoProgress: autoProgress } = dependencies.config
  registerLabCatalogRoutes(scope)
  registerInsuranceRoutes(scope, dependencies)
  registerDiagnosisRoutes(scope)
  registerOrderRoutes(scope, dependencies)
  registerServiceCenterRoutes(scope, dependencies)
  registerBookingRoutes(scope, dependencies)
  registerResultRoutes(scope, dependencies)
  registerLabReportRoutes(scope, dependencies)
  registerResultHistoryRoutes(scope)
  registerDocumentListRoutes(scope)
  registerSandboxRoutes(scope, { ...dependencies, autoProgress, forgetCredentials: forget })
}
