import type { QueryClient } from '@tanstack/react-query'
import { type EnvironmentKind, findToken } from './api/client.ts'
import { type Environment, environmentOf } from './api/environment.ts'
import { type ConsoleSession, includesAll } from './api/session.ts'
import { overviewQuery } from './overview/overview-query.ts'
import { chartListQuery, glanceQuery, personQuery } from './people/person/person-queries.ts'

/** Data of pages, which are requested while the code of the page is loaded. */

interface RouteContext {
  queryClient: QueryClient
  session: ConsoleSession
}

interface Address {
  team: string
  env: string
}

const environmentAt = ({ session }: RouteContext, { team, env }: Address): Environment =>
  environmentOf(session.organization.id, team, env as EnvironmentKind)

/** Requests the token that every page needs; the next request shows its error. */
export function prefetchToken(context: RouteContext, address: Address): void {
  findToken(environmentAt(context, address).path).catch(() => {})
}

export function prefetchOverview(context: RouteContext, address: Address): void {
  context.queryClient.prefetchQuery(overviewQuery(environmentAt(context, address)))
}

export function prefetchPerson(
  context: RouteContext,
  { user, ...address }: Address & { user: string },
): void {
  const environment = environmentAt(context, address)
  context.queryClient.prefetchQuery(personQuery(environment, user))
  context.queryClient.prefetchQuery(chartListQuery(environment, user))
  if (includesAll(context.session, ['health:read', 'results:read'])) {
    context.queryClient.prefetchQuery(glanceQuery(environment, user))
  }
}
