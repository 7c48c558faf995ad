import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'

export type Person = components['schemas']['FoundUser']

/** Returns the zone in which times of a person are shown; UTC where it is not known. */
export const zoneOf = (person: Person | null | undefined): string =>
  person?.fallback_time_zone?.id ?? 'UTC'

/** Loads a person, with the name where one is known; null when there is none. */
export const personQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId],
    queryFn: async ({ signal }): Promise<Person | null> => {
      const body = { query: userId, limit: 20 }
      const { users } = await unwrapResponse(team.POST('/v2/user/search', { body, signal }))
      return users.find(({ user_id: id }) => id === userId.toLowerCase()) ?? null
    },
  })

/** Loads the demographics of a person; null where none are stored. */
export const demographicsQuery = (environment: Environment, userId: string) =>
  queryOptions({
    queryKey: [...environment.key, 'person', userId, 'demographics'],
    queryFn: async ({ client, signal }) => {
      const person = await client.fetchQuery(personQuery(environment, userId))
      if (person?.name_from !== 'demographics') return null
      const params = { path: { user_id: userId } }
      return unwrapResponse(
        environment.team.GET('/v2/user/{user_id}/info/latest', { params, signal }),
      )
    },
  })

/** Returns the person of the page. */
export function usePerson(userId: string): Person {
  const { data: person } = useSuspenseQuery(personQuery(useEnvironment(), userId))
  if (person === null) throw new Error('The person was not found.')
  return person
}

/** Loads the connections of a person, with the resources that each may read. */
export const connectionsQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'connections'],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId } }
      return (await unwrapResponse(team.GET('/v2/user/providers/{user_id}', { params, signal })))
        .providers
    },
  })

export type Connection = components['schemas']['ProviderConnection']

/** Loads statistics of each resource of each connection, with the outcome of its last sync. */
export const resourcesQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'resources'],
    queryFn: async ({ signal }) => {
      const params = { query: { user_id: userId } }
      const { data } = await unwrapResponse(
        team.GET('/v2/introspect/resources', { params, signal }),
      )
      return data[0]?.provider ?? {}
    },
  })

/** Loads the state of the historical pull of each connection. */
export const historyQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'history'],
    queryFn: async ({ signal }) => {
      const params = { query: { user_id: userId } }
      const { data } = await unwrapResponse(
        team.GET('/v2/introspect/historical_pull', { params, signal }),
      )
      return data[0]?.provider ?? {}
    },
  })

/** Loads all providers, by slug. */
export const providersQuery = ({ key, team }: Environment) =>
  queryOptions({
    queryKey: [...key, 'providers'],
    queryFn: async ({ signal }) => {
      const providers = await unwrapResponse(team.GET('/v2/providers', { signal }))
      return new Map(providers.map((provider) => [provider.slug, provider]))
    },
    staleTime: 3_600_000,
  })

/** Loads quarantined items, the newest first. */
export const quarantineQuery = (
  { key, team }: Environment,
  userId: string,
  page: { limit: number; next_cursor?: string },
) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'quarantine', page],
    queryFn: ({ signal }) => {
      const params = { path: { user_id: userId }, query: page }
      return unwrapResponse(team.GET('/v2/user/{user_id}/put_aside', { params, signal }))
    },
  })

/**
 * Loads the series of which the person has samples, since when, and the local times of the person.
 */
export const chartListQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'charts'],
    queryFn: ({ signal }) => {
      const params = { path: { user_id: userId } }
      return unwrapResponse(team.GET('/v2/timeseries/{user_id}/charts', { params, signal }))
    },
  })

/** Loads the newest figures of a person, each with the mean of the weeks before. */
export const glanceQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'glance'],
    queryFn: ({ signal }) => {
      const params = { path: { user_id: userId } }
      return unwrapResponse(team.GET('/v2/user/{user_id}/glance', { params, signal }))
    },
  })

export type Glance = components['schemas']['Glance']
