import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { take } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'

export type Person = components['schemas']['FoundUser']

/** The zone in which times of a person are shown; UTC where it is not known. */
export const zoneOf = (person: Person | null | undefined): string =>
  person?.fallback_time_zone?.id ?? 'UTC'

/** One person, with the name where one is known; null for nobody. */
export const personQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId],
    queryFn: async ({ signal }): Promise<Person | null> => {
      const body = { query: userId, limit: 20 }
      const { users } = await take(team.POST('/v2/user/search', { body, signal }))
      return users.find(({ user_id: id }) => id === userId.toLowerCase()) ?? null
    },
  })

/** What laboratories get to know of a patient; null where nothing was stored, as of many people. */
export const demographicsQuery = (environment: Environment, userId: string) =>
  queryOptions({
    queryKey: [...environment.key, 'person', userId, 'demographics'],
    queryFn: async ({ client, signal }) => {
      const person = await client.fetchQuery(personQuery(environment, userId))
      if (person?.name_from !== 'demographics') return null
      const params = { path: { user_id: userId } }
      return take(environment.team.GET('/v2/user/{user_id}/info/latest', { params, signal }))
    },
  })

/** The person that the page is about, within it. */
export function usePerson(userId: string): Person {
  const { data: person } = useSuspenseQuery(personQuery(useEnvironment(), userId))
  if (person === null) throw new Error('There is no such person here.')
  return person
}

/** The connections of a person that count, with what their providers let be read. */
export const connectionsQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'connections'],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId } }
      return (await take(team.GET('/v2/user/providers/{user_id}', { params, signal }))).providers
    },
  })

export type Connection = components['schemas']['ProviderConnection']

/** What is held of each resource of each connection, and how the last sync went. */
export const resourcesQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'resources'],
    queryFn: async ({ signal }) => {
      const params = { query: { user_id: userId } }
      const { data } = await take(team.GET('/v2/introspect/resources', { params, signal }))
      return data[0]?.provider ?? {}
    },
  })

/** How far the history of each connection has come. */
export const historyQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'history'],
    queryFn: async ({ signal }) => {
      const params = { query: { user_id: userId } }
      const { data } = await take(team.GET('/v2/introspect/historical_pull', { params, signal }))
      return data[0]?.provider ?? {}
    },
  })

/** Everything that can be connected, by slug. */
export const providersQuery = ({ key, team }: Environment) =>
  queryOptions({
    queryKey: [...key, 'providers'],
    queryFn: async ({ signal }) => {
      const providers = await take(team.GET('/v2/providers', { signal }))
      return new Map(providers.map((provider) => [provider.slug, provider]))
    },
    staleTime: 3_600_000,
  })

/** Items that could not be stored, the newest first. */
export const quarantineQuery = (
  { key, team }: Environment,
  userId: string,
  page: { limit: number; next_cursor?: string },
) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'quarantine', page],
    queryFn: ({ signal }) => {
      const params = { path: { user_id: userId }, query: page }
      return take(team.GET('/v2/user/{user_id}/put_aside', { params, signal }))
    },
  })

/** Of which series the person has samples, since when, and what the person's clock was set to. */
export const chartListQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'charts'],
    queryFn: ({ signal }) => {
      const params = { path: { user_id: userId } }
      return take(team.GET('/v2/timeseries/{user_id}/charts', { params, signal }))
    },
  })
