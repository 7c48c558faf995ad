import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { Failure } from '../components/failure.tsx'
import { Waiting } from '../components/waiting.tsx'
import { formatClock, toLocal } from '../people/person/local-time.ts'
import { providersQuery } from '../people/person/person-queries.ts'
import { REASONS_TO_COUNT, sourceTitle } from '../people/person/sources/source-words.ts'
import { type Preview, type PreviewInput, previewQuery } from './priority-queries.ts'

type Slot = Preview['hours'][number]
type Value = Slot['before']
type NameProvider = (slug: string) => string

interface EffectProps {
  userId: string
  /** Undefined while the resource has no preview. */
  body: PreviewInput | undefined
}

/** Shows what an order does to a day: each value before and after, and whose samples count. */
export function PriorityEffect({ userId, body }: EffectProps): ReactNode {
  const environment = useEnvironment()
  const preview = useQuery(previewQuery(environment, userId, body))
  const { data: providers } = useSuspenseQuery(providersQuery(environment))
  const nameOf: NameProvider = (slug) => providers.get(slug)?.name ?? slug
  if (userId === '') return <p className="quiet">Choose a person to see the effect on a day.</p>
  if (body === undefined) {
    return (
      <p className="quiet">
        The effect on this kind of data cannot be shown before saving: its records are not merged
        with each other.
      </p>
    )
  }
  if (preview.error !== null) return <Failure error={preview.error} onRetry={preview.refetch} />
  if (preview.data === undefined) return <Waiting label="Computing the day" lines={4} />
  const { data } = preview
  const isEmpty = data.day.length === 0 && data.records.length === 0
  return (
    <div className="effect" aria-busy={preview.isPlaceholderData}>
      {isEmpty ? (
        <p className="quiet">There are no such data on this day. Choose another one.</p>
      ) : (
        <>
          <Summary preview={data} />
          {data.hours.length > 0 && <Hours preview={data} nameOf={nameOf} />}
          {data.records.length > 0 && <Records preview={data} nameOf={nameOf} />}
        </>
      )}
    </div>
  )
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

const formatValue = (value: Value, unit: string | null): string =>
  value === null
    ? 'no value'
    : `${NUMBER.format(value.value)} ${unit === 'count' ? '' : (unit ?? '')}`.trim()

const hasChanged = ({ before, after }: Slot): boolean =>
  JSON.stringify(before) !== JSON.stringify(after)

function Summary({ preview }: { preview: Preview }): ReactNode {
  const { day, hours, records, unit } = preview
  const changed = hours.filter(hasChanged).length
  const moved = records.filter(({ before, after }) => before.counts !== after.counts).length
  return (
    <div role="status" className="effect-summary">
      {day.map((slot) => (
        <p key={slot.type}>
          {slot.type !== null && <span className="quiet">{slot.type}: </span>}
          The whole day: <strong>{formatValue(slot.before, unit)}</strong>
          {hasChanged(slot) ? (
            <>
              {' '}
              before, <strong>{formatValue(slot.after, unit)}</strong> after
            </>
          ) : (
            ', unchanged'
          )}
        </p>
      ))}
      <p className="quiet">
        {records.length > 0
          ? `${moved} of ${records.length} records change whether they count.`
          : `${changed} of ${hours.length} hours with data change.`}
      </p>
    </div>
  )
}

interface DetailProps {
  preview: Preview
  nameOf: NameProvider
}

function Hours({ preview: { hours, unit }, nameOf }: DetailProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled by keyboard
    <section className="effect-scroll" aria-label="Effect by hour" tabIndex={0}>
      <table className="effect-table">
        <thead>
          <tr>
            <th scope="col">Hour</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col">Samples that count</th>
          </tr>
        </thead>
        <tbody>
          {hours.map((slot) => (
            <tr key={`${slot.start} ${slot.type}`} data-changed={hasChanged(slot) || undefined}>
              <th scope="row">
                {formatClock(toLocal(slot.start, slot.timezone_offset))}
                {slot.type !== null && <span className="quiet"> {slot.type}</span>}
              </th>
              <td>{formatValue(slot.before, unit)}</td>
              <td>{hasChanged(slot) ? formatValue(slot.after, unit) : 'unchanged'}</td>
              <td>{describeSources(slot, nameOf)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Returns the sources that count, and those that counted before. */
function describeSources(slot: Slot, nameOf: NameProvider): string {
  const listOf = (value: Value): string =>
    (value?.sources ?? [])
      .map((source) => `${sourceTitle(source as never, nameOf)} (${source.count})`)
      .join(', ') || 'none'
  const [before, after] = [listOf(slot.before), listOf(slot.after)]
  return before === after ? after : `${after}; before: ${before}`
}

function Records({ preview: { records }, nameOf }: DetailProps): ReactNode {
  return (
    <ul className="effect-records">
      {records.map(({ id, source, start, end, before, after }) => (
        <li key={id} data-changed={before.counts !== after.counts || undefined}>
          <strong>{sourceTitle(source, nameOf)}</strong>{' '}
          <span className="quiet">
            {start.slice(11, 16)}–{end.slice(11, 16)} UTC
          </span>
          <br />
          {before.counts === after.counts
            ? describeOutcome(after)
            : `${describeOutcome(after)}; before it ${before.counts ? 'counted' : 'did not count'}`}
        </li>
      ))}
    </ul>
  )
}

const describeOutcome = ({ counts, reason }: Preview['records'][number]['after']): string =>
  counts
    ? 'counts'
    : `does not count, because another record ${REASONS_TO_COUNT[reason ?? ''] ?? 'counts'}`
