import { NativeSelect, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Section } from '../../../components/page.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { useViewState } from '../../../shell/view-state.ts'
import { dateIn, formatClock, toLocal } from '../local-time.ts'
import { chartListQuery, providersQuery, usePerson } from '../person-queries.ts'
import { resourceTitle } from '../resource-title.ts'
import { type Slot, sumUpSlot } from './slot-parts.ts'
import { REASONS_TO_SET_ASIDE, sourceTitle } from './source-words.ts'

/**
 * Shows each hour of a day with its value, the samples that count, and those that do not with the
 * reason.
 */
export function ValueOrigins({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { data: listed } = useSuspenseQuery(chartListQuery(environment, userId))
  // Pairs of readings have one source each and are not merged.
  const choices = listed.data.filter(({ kind }) => kind !== 'pair')
  const [view, change] = useViewState({ of: '', day: '' })
  const chosen =
    choices.find(({ resource }) => resource === view.of) ??
    choices.find(({ resource }) => resource === 'steps') ??
    choices[0]
  const zone = usePerson(userId).fallback_time_zone?.id ?? 'UTC'
  const day = view.day || (chosen && dateIn(zone, chosen.newest_data)) || ''
  return (
    <Section
      id="origins"
      title="Sources of each value"
      description="When several devices measure the same, each instant counts once. The table shows whose samples counted in each hour, and why others did not."
      actions={
        chosen !== undefined && (
          <div className="origins-choice">
            <NativeSelect
              aria-label="Kind of data"
              value={chosen.resource}
              onChange={({ currentTarget }) => change({ of: currentTarget.value, day: '' })}
              data={choices.map(({ resource }) => ({
                value: resource,
                label: resourceTitle(resource),
              }))}
            />
            <TextInput
              type="date"
              aria-label="Day of the person"
              value={day}
              min={dateIn(zone, chosen.oldest_data)}
              onChange={({ currentTarget }) => change({ day: currentTarget.value })}
            />
          </div>
        )
      }
    >
      {chosen === undefined ? (
        <EmptyState title="No samples yet.">
          Values are explained here when a device sends some.
        </EmptyState>
      ) : (
        <Hours userId={userId} resource={chosen.resource} day={day} isSum={chosen.kind === 'sum'} />
      )}
    </Section>
  )
}

/** All merged series have the same response. */
const MERGED =
  '/v2/timeseries/{user_id}/{resource}/merged' as unknown as '/v2/timeseries/{user_id}/steps/merged'

interface HoursProps {
  userId: string
  resource: string
  day: string
}

function useHours({ userId, resource, day }: HoursProps) {
  const { key, team } = useEnvironment()
  return useQuery({
    queryKey: [...key, 'person', userId, 'origins', resource, day],
    queryFn: async ({ signal }) => {
      const path = { user_id: userId, resource }
      const query = { start_date: day, end_date: day, slot: 'hour', explain: true } as const
      const { data } = await unwrapResponse(team.GET(MERGED, { params: { path, query }, signal }))
      return data
    },
    placeholderData: keepPreviousData,
  })
}

function Hours({ isSum, ...props }: HoursProps & { isSum: boolean }): ReactNode {
  const hours = useHours(props)
  const { data: providers } = useSuspenseQuery(providersQuery(useEnvironment()))
  const nameOf = (slug: string): string => providers.get(slug)?.name ?? slug
  if (hours.error !== null) return <Failure error={hours.error} onRetry={() => hours.refetch()} />
  if (hours.data === undefined) return <Waiting label="Loading the day" lines={6} />
  if (hours.data.length === 0) {
    return <p className="quiet">There are no samples on this day.</p>
  }
  return (
    <section
      className="origins-scroll"
      aria-label="Hours of the day"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled by keyboard
      tabIndex={0}
      aria-busy={hours.isPlaceholderData}
    >
      <table className="origins">
        <thead>
          <tr>
            <th scope="col">Hour</th>
            <th scope="col">Value</th>
            <th scope="col">Counted</th>
            <th scope="col">Not counted</th>
          </tr>
        </thead>
        <tbody>
          {hours.data.map((slot) => (
            <Hour key={`${slot.start} ${slot.type}`} slot={slot} isSum={isSum} nameOf={nameOf} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface HourProps {
  slot: Slot
  isSum: boolean
  nameOf: (slug: string) => string
}

function Hour({ slot, isSum, nameOf }: HourProps): ReactNode {
  const { used, setAside } = sumUpSlot(slot)
  return (
    <tr>
      <th scope="row">{formatClock(toLocal(slot.start, slot.timezone_offset))}</th>
      <td className="origins-value">
        {formatValue(slot.value)}{' '}
        {slot.unit !== 'count' && <span className="quiet">{slot.unit}</span>}
        {slot.type !== null && <span className="quiet"> ({slot.type})</span>}
      </td>
      <td>
        <ul>
          {used.map((part) => (
            <li key={part.key}>
              {sourceTitle(part.source, nameOf)}
              <span className="quiet">, {describePart(part, isSum)}</span>
            </li>
          ))}
        </ul>
      </td>
      <td>
        <ul>
          {setAside.map((part) => (
            <li key={part.key}>
              {sourceTitle(part.source, nameOf)}
              <span className="quiet">
                , {describePart(part, isSum)}: {part.wonBy && sourceTitle(part.wonBy, nameOf)}{' '}
                {REASONS_TO_SET_ASIDE[part.reason] ?? part.reason}
              </span>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  )
}

function describePart({ samples, amount }: { samples: number; amount: number }, isSum: boolean) {
  const count = `${samples} ${samples === 1 ? 'sample' : 'samples'}`
  return isSum ? `${formatValue(amount)} in ${count}` : count
}

const formatValue = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 1 })
