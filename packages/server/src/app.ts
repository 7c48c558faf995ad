import cookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { registerErasureRoutes, registerReceiptKeyRoute } from './accounts/erasure/index.ts'
import { registerExportLinkRoute, registerExportRoutes } from './accounts/exports/index.ts'
import {
  createTeamAuthentication,
  type OwnersOfIds,
  registerTeamRoutes,
} from './accounts/teams/index.ts'
import { registerUserRoutes } from './accounts/users/index.ts'
import type { DemoTeamContext } from './demo-team/index.ts'
import { registerConnectionRoutes } from './health/connections/index.ts'
import {
  EVALUATE_BY_PRIORITIES,
  registerContinuousQueryRoutes,
} from './health/continuous-queries/index.ts'
import { registerIntrospectionRoutes } from './health/coverage/index.ts'
import { registerImportRoutes } from './health/imports/index.ts'
import { registerIngestRoutes } from './health/ingest/index.ts'
import { extendDemo, registerLinkRoutes, registerTeamLinkRoutes } from './health/link/index.ts'
import {
  createMobileAuthentication,
  registerMobileRoutes,
  registerPublicMobileRoutes,
} from './health/mobile/index.ts'
import { registerProviderLogos } from './health/providers/index.ts'
import { registerPushRoutes, registerUserRefreshRoutes } from './health/pulling/index.ts'
import { registerQueryRoutes, registerQueryTableRoutes } from './health/queries/index.ts'
import { registerSourcePriorityRoutes } from './health/source-priorities/index.ts'
import {
  registerSummaryReadRoutes,
  registerSummaryUploadRoutes,
  requireSleepOf,
  requireWorkoutOf,
} from './health/summaries/index.ts'
import {
  registerChartRoutes,
  registerMergedTimeseriesRoutes,
  registerTimeseriesRoutes,
} from './health/timeseries/index.ts'
import { registerBookingRoutes } from './lab/booking/index.ts'
import { registerLabCatalogRoutes } from './lab/catalog/index.ts'
import { registerDocumentListRoutes } from './lab/document-list/index.ts'
import { registerDiagnosisRoutes, registerInsuranceRoutes } from './lab/insurance/index.ts'
import {
  ordersOfUsers,
  registerOrderRoutes,
  requireOrderOf,
  requireOrderTransactionOf,
} from './lab/orders/index.ts'
import {
  registerLabReportRoutes,
  registerLabReportUpload,
  requireJobOf,
} from './lab/reports/index.ts'
import { registerResultHistoryRoutes } from './lab/result-history/index.ts'
import { registerResultRoutes } from './lab/results/index.ts'
import { registerSandboxRoutes } from './lab/sandbox/index.ts'
import { registerServiceCenterRoutes } from './lab/service-centers/index.ts'
import { registerManagementApi } from './management-api.ts'
import { registerMcpRoutes } from './mcp.routes.ts'
import { registerPersonMissingEventRoutes } from './missing-events/index.ts'
import { registerDocs, registerHome, registerOpenApi } from './openapi/index.ts'
import { RequestRates } from './operation/index.ts'
import { registerAudit } from './platform/audit/audited-requests.ts'
import type { App } from './platform/http/app-types.ts'
import { answerClientError } from './platform/http/client-errors.ts'
import { registerContentNegotiation } from './platform/http/content-negotiation.ts'
import { answerError, registerErrorHandler } from './platform/http/error-handler.ts'
import { registerHealth } from './platform/http/health.ts'
import { ROUTER_OPTIONS, registerNotFound } from './platform/http/method-not-allowed.ts'
import { registerMetrics } from './platform/http/metrics.ts'
import { registerQueryWarnings } from './platform/http/query-warnings.ts'
import { registerRateLimits } from './platform/http/rate-limits.ts'
import { DEFAULT_BODY_LIMIT, registerRequestBodies } from './platform/http/request-body.ts'
import { registerRequestLog, requestIdFrom } from './platform/http/request-log.ts'
import { registerRequestTracing } from './platform/http/request-tracing.ts'
import { registerRouteActions } from './platform/http/route-actions.ts'
import { forbidStoring, registerSecurityHeaders } from './platform/http/security-headers.ts'
import { buildLazySerializer } from './platform/http/serialization.ts'
import { registerSlowRequests, SLOW_HEADERS } from './platform/http/slow-requests.ts'
import { type EndOfProcess, registerStopping } from './platform/http/stopping.ts'
import { createValidatorCompiler } from './platform/http/validation.ts'
import { newId } from './platform/ids.ts'
import { registerSignInFailures } from './platform/sign-in/sign-in-failures.ts'
import type { Services } from './services.ts'
import { registerWebPages } from './web-pages/index.ts'
import { EVENT_CATALOG } from './webhooks/event-catalog/index.ts'

/** What the HTTP application is made of. */
export interface AppDependencies
  extends Services,
    EndOfProcess,
    Pick<DemoTeamContext, 'fillDemoTeam'> {
  /** Where the pages of browsers were built, if not where `npm ci` builds them. */
  pagesFolder?: string
}

/**
 * Room for the address and the headers of a request: 500 order_ids take 24 KiB of it, which is more than
 * Node.js gives.
 */
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
    // Otherwise the framework answers with a body of its own; registerStopping does it with ours.
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializer } },
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']) ?? newId(),
  }).withTypeProvider<TypeBoxTypeProvider>()
  registerRouteActions(app)
  return app.setValidatorCompiler(createValidatorCompiler())
}

/** What a process that only works answers: whether it lives and is ready, and its metrics. */
export function buildProbesApp(dependencies: AppDependencies): App {
  const app = createServer(dependencies)
  registerErrorHandler(app)
  registerNotFound(app)
  registerStopping(app, dependencies)
  registerHealth(app, dependencies)
  registerMetrics(app, dependencies.registry, dependencies.config)
  return app
}

/** The ordered list of plugins and domain routes, and nothing else. */
export async function buildApp(dependencies: AppDependencies): Promise<App> {
  const { config } = dependencies
  const app = createServer(dependencies)

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

  registerHealth(app, dependencies)
  registerMetrics(app, dependencies.registry, config)
  const rates = new RequestRates()
  rates.watch(app)
  registerProviderLogos(app)
  registerHome(app, config)
  dependencies.emulator?.mount(app as unknown as FastifyInstance)
  registerWebPages(app, dependencies)
  await registerPushRoutes(app, dependencies)

  await app.register((scope: App) => registerPublicMobileRoutes(scope, dependencies))
  registerExportLinkRoute(app, dependencies)
  registerReceiptKeyRoute(app, dependencies)

  const findApp = createMobileAuthentication(dependencies)
  const teams = createTeamAuthentication(dependencies, config, findApp, OWNERS_OF_IDS)
  await app.register(async (scope: App) => {
    scope.addHook('onRequest', forbidStoring)
    teams.protect(scope)
    registerPeopleRoutes(scope, dependencies)
    registerHealthRoutes(scope, dependencies)
    registerLabRoutes(scope, dependencies, teams.forget)
    registerMcpRoutes(scope, dependencies)
    registerPersonMissingEventRoutes(scope, { config, catalog: EVENT_CATALOG })
    // In scopes of their own: only these routes take files.
    await scope.register((files: App) => registerImportRoutes(files, dependencies))
    await scope.register((files: App) => registerLabReportUpload(files, dependencies))
  })

  await app.register(async (scope: App) => {
    scope.addHook('onRequest', forbidStoring)
    registerLinkRoutes(scope, dependencies, teams.authenticate)
  })
  await registerManagementApi(app, { ...dependencies, rates }, teams.forget)
  registerDocs(app, dependencies)
  return app
}

/** What is written down of requests, how many anybody may send, and how often fail to show who they are. */
function registerLimits(app: App, dependencies: AppDependencies): void {
  registerAudit(app, dependencies)
  registerRateLimits(app, dependencies)
  registerSignInFailures(app, dependencies)
}

/** The team, its people, and what they have a right to. */
function registerPeopleRoutes(scope: App, dependencies: AppDependencies): void {
  const orders = ordersOfUsers
  registerTeamRoutes(scope, dependencies.config)
  registerUserRoutes(scope, { ...dependencies, orders })
  registerExportRoutes(scope, dependencies)
  registerErasureRoutes(scope, { orders })
}

/** Whose the things are that a path names by themselves, for keys that reach one person. */
const OWNERS_OF_IDS: OwnersOfIds = {
  order_id: requireOrderOf,
  transaction_id: requireOrderTransactionOf,
  workout_id: requireWorkoutOf,
  sleep_id: requireSleepOf,
  job_id: requireJobOf,
}

/** Wearables: who is connected to what, and what came of it. */
function registerHealthRoutes(scope: App, dependencies: AppDependencies): void {
  registerConnectionRoutes(scope, dependencies)
  registerMobileRoutes(scope, dependencies)
  registerTeamLinkRoutes(scope, dependencies)
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
}

/** Laboratories: what can be ordered, orders, their documents and results, and the sandbox. */
function registerLabRoutes(scope: App, dependencies: AppDependencies, forget: () => void): void {
  const { config, gateways } = dependencies
  registerLabCatalogRoutes(scope)
  registerInsuranceRoutes(scope)
  registerDiagnosisRoutes(scope)
  registerOrderRoutes(scope, dependencies)
  registerServiceCenterRoutes(scope, dependencies)
  registerBookingRoutes(scope, dependencies)
  registerResultRoutes(scope, dependencies)
  registerLabReportRoutes(scope, dependencies)
  registerResultHistoryRoutes(scope)
  registerDocumentListRoutes(scope)
  const { sandboxAutoProgress: autoProgress } = config
  const sandbox = { ...dependencies, gateways, autoProgress, forgetCredentials: forget }
  registerSandboxRoutes(scope, sandbox)
}
