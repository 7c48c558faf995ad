import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Section } from '../../../components/page.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { useViewState } from '../../../shell/view-state.ts'
import { PeriodBar } from '../period-bar.tsx'
import { type Period, usePeriod } from '../use-period.ts'
import { NightDetail } from './night-detail.tsx'
import { NightList } from './night-list.tsx'
import { SleepAverages } from './sleep-averages.tsx'
import { type Night, toNights } from './sleep-night.ts'
import './sleep.css'

/** Lists nights with their stages on one axis of local time, and shows one of them in full. */
export function Sleep({ userId }: { userId: string }): ReactNode {
  const period = usePeriod(userId, ['sleep', 'workouts'], '14')
  const nights = useNights(userId, period)
  const [{ night: chosenId }, change] = useViewState({ night: '' })
  const chosen = nights.data?.find(({ sleep }) => isOf(sleep, chosenId)) ?? nights.data?.[0]
  return (
    <Section
      title="Sleep"
      description="Each night once, however many sources recorded it. Times are local to the person, and the date of a night is that of its morning."
      actions={<PeriodBar period={period} sizes={[7, 14, 30, 90]} />}
    >
      {nights.error !== null && <Failure error={nights.error} onRetry={() => nights.refetch()} />}
      {nights.isPending && <Waiting label="Loading nights" lines={8} />}
      {nights.data?.length === 0 && (
        <EmptyState title="No sleep in these days.">
          Choose other days, or connect a device that is worn at night.
        </EmptyState>
      )}
      {chosen !== undefined && nights.data !== undefined && (
        <div className="sleep" aria-busy={nights.isPlaceholderData}>
          <SleepAverages nights={nights.data} />
          <NightDetail night={chosen} userId={userId} />
          <NightList
            nights={nights.data}
            chosen={chosen}
            onChoose={({ sleep }) => change({ night: sleep.id })}
          />
        </div>
      )}
    </Section>
  )
}

/** Whether a record is the one that counts for a night, or one that was set aside for it. */
const isOf = ({ id, merged }: Night['sleep'], recordId: string): boolean =>
  id === recordId || merged.set_aside.some((one) => one.id === recordId)

function useNights(userId: string, { start, end }: Period) {
  const { key, team } = useEnvironment()
  return useQuery({
    queryKey: [...key, 'person', userId, 'sleep', start, end],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId }, query: { start_date: start, end_date: end } }
      const [{ sleep }, { sleep_cycle: cycles }] = await Promise.all([
        unwrapResponse(team.GET('/v2/summary/sleep/{user_id}/merged', { params, signal })),
        unwrapResponse(team.GET('/v2/summary/sleep_cycle/{user_id}', { params, signal })),
      ])
      return toNights(sleep, cycles)
    },
    placeholderData: keepPreviousData,
  })
}
