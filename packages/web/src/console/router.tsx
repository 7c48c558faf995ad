import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  // The code of a page is loaded with its first visit.
  lazyRouteComponent as page,
  redirect,
} from '@tanstack/react-router'
import { baseUrl } from './api/client.ts'
import { sessionQuery } from './api/session.ts'
import { teamsQuery } from './api/teams.ts'
import { Failure } from './components/failure.tsx'
import { Waiting } from './components/waiting.tsx'
import { prefetchOverview, prefetchPerson, prefetchToken } from './prefetch.ts'
import { ConsoleFrame } from './shell/console-frame.tsx'
import { chooseEnvironment } from './shell/kept-environment.ts'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { firstPageOf } from './shell/page-permissions.ts'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/signin',
  component: page(() => import('./session/sign-in-page.tsx'), 'SignInPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: page(() => import('./session/invitation-page.tsx'), 'InvitationPage'),
})

const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  component: page(() => import('./session/account/second-factor-page.tsx'), 'SecondFactorPage'),
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!session?.second_factor_setup_required) throw redirect({ to: '/' })
  },
})

/** Pages behind the sign-in. The sign-in page returns to the address. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: ConsoleFrame,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session === null) {
      // A sign-in code stays behind the #: servers receive and log only what is before it.
      const view = location.pathname + location.searchStr
      const search = view === '/' ? {} : { to: view }
      throw redirect({ to: '/signin', search, hash: location.hash })
    }
    if (session.second_factor_setup_required) throw redirect({ to: '/second-factor' })
    context.queryClient.prefetchQuery(teamsQuery(session.organization.id))
    return { session }
  },
})

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: async ({ context: { queryClient, session } }) => {
    if (session.is_empty) throw redirect({ to: '/start' })
    const teams = await queryClient.ensureQueryData(teamsQuery(session.organization.id))
    const params = chooseEnvironment(teams, session.environments)
    if (params === undefined) throw redirect({ to: '/start' })
    throw redirect({ to: firstPageOf(session), params })
  },
})

const start = createRoute({
  getParentRoute: () => frame,
  path: '/start',
  component: page(() => import('./start/start-page.tsx'), 'StartPage'),
})

const account = createRoute({
  getParentRoute: () => frame,
  path: '/account',
  component: page(() => import('./session/account/account-page.tsx'), 'AccountPage'),
})

const operation = createRoute({
  getParentRoute: () => frame,
  path: '/operation',
  component: page(() => import('./operation/operation-page.tsx'), 'OperationPage'),
})

const audit = createRoute({
  getParentRoute: () => frame,
  path: '/operation/audit',
  component: page(() => import('./operation/audit-page.tsx'), 'AuditPage'),
})

/** Pages of one environment of a team. */
const environment = createRoute({
  getParentRoute: () => frame,
  path: '/$team/$env',
  beforeLoad: ({ params, context }) => {
    if (params.env !== 'sandbox' && params.env !== 'production') throw notFound()
    prefetchToken(context, params)
  },
})

const overview = createRoute({
  getParentRoute: () => environment,
  path: '/overview',
  beforeLoad: ({ context, params }) => prefetchOverview(context, params),
  component: page(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
})

const people = createRoute({
  getParentRoute: () => environment,
  path: '/people',
  component: page(() => import('./people/people-page.tsx'), 'PeoplePage'),
})

const person = createRoute({
  getParentRoute: () => environment,
  path: '/people/$user',
  beforeLoad: ({ context, params }) => prefetchPerson(context, params),
  component: page(() => import('./people/person/person-page.tsx'), 'PersonPage'),
})

const personImport = createRoute({
  getParentRoute: () => environment,
  path: '/people/$user/import',
  component: page(() => import('./people/person/imports/import-page.tsx'), 'ImportPage'),
})

const orders = createRoute({
  getParentRoute: () => environment,
  path: '/orders',
  component: page(() => import('./laboratories/orders/orders-page.tsx'), 'OrdersPage'),
})

const newOrder = createRoute({
  getParentRoute: () => environment,
  path: '/orders/new',
  component: page(() => import('./laboratories/new-order/new-order-page.tsx'), 'NewOrderPage'),
})

const order = createRoute({
  getParentRoute: () => environment,
  path: '/orders/$order',
  component: page(() => import('./laboratories/order/order-page.tsx'), 'OrderPage'),
})

const catalog = createRoute({
  getParentRoute: () => environment,
  path: '/catalog',
  component: page(() => import('./laboratories/catalog/catalog-page.tsx'), 'CatalogPage'),
})

const connections = createRoute({
  getParentRoute: () => environment,
  path: '/connections',
  component: page(
    () => import('./laboratories/connections/connections-page.tsx'),
    'ConnectionsPage',
  ),
})

const connection = createRoute({
  getParentRoute: () => environment,
  path: '/connections/$connection',
  component: page(() => import('./laboratories/connections/connection-page.tsx'), 'ConnectionPage'),
})

const sandbox = createRoute({
  getParentRoute: () => environment,
  path: '/sandbox',
  component: page(() => import('./laboratories/sandbox/sandbox-page.tsx'), 'SandboxPage'),
})

const matching = createRoute({
  getParentRoute: () => environment,
  path: '/matching',
  component: page(() => import('./review/matching-page.tsx'), 'MatchingPage'),
})

const tasks = createRoute({
  getParentRoute: () => environment,
  path: '/tasks',
  component: page(() => import('./review/tasks-page.tsx'), 'TasksPage'),
})

/** The page of critical results had its own address before there were tasks of other kinds. */
const criticalResults = createRoute({
  getParentRoute: () => environment,
  path: '/critical-results',
  beforeLoad: ({ params }) => {
    throw redirect({
      to: '/$team/$env/tasks',
      params,
      search: { kind: 'critical_result' } as never,
    })
  },
})

const reports = createRoute({
  getParentRoute: () => environment,
  path: '/reports',
  component: page(() => import('./review/reports-page.tsx'), 'ReportsPage'),
})

const report = createRoute({
  getParentRoute: () => environment,
  path: '/reports/$job',
  component: page(() => import('./review/report-page.tsx'), 'ReportPage'),
})

const webhooks = createRoute({
  getParentRoute: () => environment,
  path: '/webhooks',
  component: page(() => import('./webhooks/endpoints/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => environment,
  path: '/webhooks/$webhook',
  component: page(() => import('./webhooks/endpoints/webhook-page.tsx'), 'WebhookPage'),
})

const events = createRoute({
  getParentRoute: () => environment,
  path: '/events',
  component: page(() => import('./webhooks/events/events-page.tsx'), 'EventsPage'),
})

const event = createRoute({
  getParentRoute: () => environment,
  path: '/events/$event',
  component: page(() => import('./webhooks/events/event-page.tsx'), 'EventPage'),
})

const eventTypes = createRoute({
  getParentRoute: () => environment,
  path: '/event-types',
  component: page(() => import('./webhooks/event-types/event-types-page.tsx'), 'EventTypesPage'),
})

const queries = createRoute({
  getParentRoute: () => environment,
  path: '/queries',
  component: page(() => import('./queries/queries-page.tsx'), 'QueriesPage'),
})

const continuousQueries = createRoute({
  getParentRoute: () => environment,
  path: '/queries/continuous',
  component: page(() => import('./queries/continuous-queries-page.tsx'), 'ContinuousQueriesPage'),
})

const priorities = createRoute({
  getParentRoute: () => environment,
  path: '/priorities',
  component: page(() => import('./priorities/priorities-page.tsx'), 'PrioritiesPage'),
})

const rules = createRoute({
  getParentRoute: () => environment,
  path: '/rules',
  component: page(() => import('./rules/rules-page.tsx'), 'RulesPage'),
})

const rights = createRoute({
  getParentRoute: () => environment,
  path: '/rights',
  component: page(() => import('./rights/rights-page.tsx'), 'RightsPage'),
})

const erasure = createRoute({
  getParentRoute: () => environment,
  path: '/rights/erasures/$erasure',
  component: page(() => import('./rights/erasures/erasure-page.tsx'), 'ErasurePage'),
})

const settings = createRoute({
  getParentRoute: () => environment,
  path: '/settings',
  component: page(() => import('./session/settings-page.tsx'), 'SettingsPage'),
})

const routeTree = root.addChildren([
  signIn,
  invitation,
  secondFactor,
  frame.addChildren([
    home,
    start,
    account,
    operation,
    audit,
    environment.addChildren([
      overview,
      people,
      person,
      personImport,
      orders,
      newOrder,
      order,
      catalog,
      connections,
      connection,
      sandbox,
      matching,
      tasks,
      criticalResults,
      reports,
      report,
      webhooks,
      webhook,
      events,
      event,
      eventTypes,
      queries,
      continuousQueries,
      priorities,
      rules,
      rights,
      erasure,
      settings,
    ]),
  ]),
])

/** Creates the router of the console; its addresses are below `/console` of the deployment. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: new URL(`${baseUrl}/console`).pathname,
    context: { queryClient },
    defaultPreload: 'intent',
    // Queries cache the data.
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: () => <Waiting label="Loading the page" />,
    defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
