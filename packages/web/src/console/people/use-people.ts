import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { unwrapResponse } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'

export type FoundPerson = components['schemas']['FoundUser']
type ProviderSlug = NonNullable<components['schemas']['UserSearch']['provider']>
type ConnectionState = FoundPerson['connections'][number]['status']

/** The empty filters, as the address has them. */
export const ALL_PEOPLE = { provider: '', state: '' }
export type PeopleView = typeof ALL_PEOPLE

/** Loads pages of people who match; rows stay while new ones are loading. */
export function usePeople({ words, provider, state }: PeopleView & { words: string }) {
  const { key, team } = useEnvironment()
  return useInfiniteQuery({
    queryKey: [...key, 'people', words, provider, state],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        team.POST('/v2/user/search', {
          body: {
            query: words,
            provider: (provider || null) as ProviderSlug | null,
            connection_status: (state || null) as ConnectionState | null,
            next_cursor: pageParam,
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  })
}
