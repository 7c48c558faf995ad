import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { demographicsQuery } from '../../people/person/person-queries.ts'
import { fillFromInfo, NEW_DRAFT, type OrderDraft } from './order-draft.ts'

/** Loads the person and the test that the address names by their ids, to fill the form. */
export function useInitialDraft(): { draft: OrderDraft | undefined; error: unknown } {
  const { user, test } = useSearch({ strict: false }) as { user?: string; test?: string }
  const environment = useEnvironment()
  const client = useQueryClient()
  const { key, team } = environment
  const isNamed = user !== undefined || test !== undefined
  const { data, error } = useQuery({
    queryKey: [...key, 'new_order', user, test],
    queryFn: async ({ signal }): Promise<OrderDraft> => {
      const [person, tests] = await Promise.all([
        user === undefined ? null : findPerson(user, signal),
        test === undefined ? [] : findTest(test, signal),
      ])
      const draft = { ...NEW_DRAFT, tests, person: person?.person ?? null }
      return person?.info ? fillFromInfo(draft, person.info) : draft
    },
    enabled: isNamed,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

  async function findPerson(userId: string, signal: AbortSignal) {
    const params = { path: { user_id: userId } }
    const [known, info] = await Promise.all([
      unwrapResponse(team.GET('/v2/user/{user_id}', { params, signal })),
      client.fetchQuery(demographicsQuery(environment, userId)),
    ])
    const name = info ? `${info.first_name} ${info.last_name}` : known.client_user_id
    return { person: { id: known.user_id, name }, info }
  }

  async function findTest(testId: string, signal: AbortSignal) {
    const params = { path: { lab_test_id: testId } }
    const { id, name } = await unwrapResponse(
      team.GET('/v3/lab_tests/{lab_test_id}', { params, signal }),
    )
    return [{ id, name }]
  }

  return { draft: isNamed ? data : NEW_DRAFT, error }
}
