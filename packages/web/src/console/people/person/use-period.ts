import { useSuspenseQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../api/environment.ts'
import { useViewState } from '../../shell/view-state.ts'
import { addDays } from './local-time.ts'
import { resourcesQuery } from './person-queries.ts'

export interface Period {
  /** Calendar dates, both included. */
  start: string
  end: string
  days: number
  /** Moves by whole periods; negative is earlier. */
  move: (periods: number) => void
  resize: (days: number) => void
  hasLater: boolean
}

/** The days of a list, kept in the address; by default those until the newest data. */
export function usePeriod(userId: string, resources: readonly string[], givenDays: string): Period {
  const { data: held } = useSuspenseQuery(resourcesQuery(useEnvironment(), userId))
  const [view, change] = useViewState({ until: '', days: givenDays })
  const today = addDays(new Date().toISOString().slice(0, 10), 1)
  const newest = Object.values(held)
    .flatMap((ofProvider) => resources.map((name) => ofProvider[name]?.newest_data ?? ''))
    .sort()
    .at(-1)
  const last = newest ? addDays(newest.slice(0, 10), 1) : today
  const end = /^\d{4}-\d\d-\d\d$/.test(view.until) ? view.until : last
  const days = Math.min(366, Math.max(1, Number(view.days) || Number(givenDays)))
  return {
    start: addDays(end, 1 - days),
    end,
    days,
    move: (periods) => {
      const until = addDays(end, periods * days)
      change({ until: until >= last ? '' : until })
    },
    resize: (size) => change({ days: String(size) }),
    hasLater: end < last,
  }
}
