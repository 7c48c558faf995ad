import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import type { components } from '../../../api/openapi.generated.d.ts'
import { addDays } from '../local-time.ts'
import { providersQuery } from '../person-queries.ts'
import { REASONS_TO_COUNT, RULES_OF_SAMENESS, sourceTitle } from './source-words.ts'

type SetAside = components['schemas']['SetAsideSummary']
type Counted = Pick<components['schemas']['MergedSleep'], 'id' | 'source' | 'merged'>

interface SameRecordsProps {
  resource: 'sleep' | 'workouts'
  record: { id: string; user_id: string; calendar_date: string }
}

/**
 * Shows which records of a sleep or workout are the same, which of them counts, and why. Shows
 * nothing for one that a single source recorded.
 */
export function SameRecords({ resource, record }: SameRecordsProps): ReactNode {
  const { data: providers } = useSuspenseQuery(providersQuery(useEnvironment()))
  const session = useSession({ resource, record })
  if (session === undefined || session.merged.set_aside.length === 0) return null
  const nameOf = (slug: string): string => providers.get(slug)?.name ?? slug
  const mark = (id: string): string => (id === record.id ? ' (shown here)' : '')
  return (
    <section aria-label={LABELS[resource]}>
      <p className="quiet">
        Recorded {session.merged.set_aside.length + 1} times. Merged reads count it once:
      </p>
      <ul>
        <li>
          {sourceTitle(session.source, nameOf)}
          {mark(session.id)}: counts
        </li>
        {session.merged.set_aside.map((one) => (
          <li key={one.id}>
            {sourceTitle(one.source, nameOf)}
            {mark(one.id)}: <span className="quiet">{explain(one)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const LABELS = { sleep: 'Records of this sleep', workouts: 'Records of this workout' }

const explain = ({ rule, reason }: SetAside): string =>
  `${RULES_OF_SAMENESS[rule] ?? rule}; the other one ${REASONS_TO_COUNT[reason] ?? reason}`

/** Finds the session that a record belongs to; the one that counts may be on a day beside it. */
function useSession({ resource, record }: SameRecordsProps): Counted | undefined {
  const { key, team } = useEnvironment()
  const { id, user_id: userId, calendar_date: date } = record
  const { data } = useQuery({
    queryKey: [...key, 'person', userId, 'merged', resource, date],
    queryFn: async ({ signal }): Promise<Counted[]> => {
      const query = { start_date: addDays(date, -1), end_date: addDays(date, 1) }
      const params = { path: { user_id: userId }, query }
      if (resource === 'sleep') {
        const answer = team.GET('/v2/summary/sleep/{user_id}/merged', { params, signal })
        return (await unwrapResponse(answer)).sleep
      }
      const answer = team.GET('/v2/summary/workouts/{user_id}/merged', { params, signal })
      return (await unwrapResponse(answer)).workouts
    },
    staleTime: 60_000,
  })
  return data?.find(
    (session) => session.id === id || session.merged.set_aside.some((one) => one.id === id),
  )
}
