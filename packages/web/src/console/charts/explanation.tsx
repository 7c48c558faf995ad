import { CloseButton } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import { DAY_SECONDS } from '../../time-units.ts'
import { unwrapResponse } from '../api/client.ts'
import { type Environment, useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'
import { Failure } from '../components/failure.tsx'
import { formatQuantity } from '../components/format-quantity.ts'
import { shownUnitOf, toShown, useUnits } from '../components/units.ts'
import { Waiting } from '../components/waiting.tsx'
import {
  formatBucketValue,
  formatSource,
  formatValue,
  type NameProvider,
  unitOf,
} from './chart-words.ts'
import type { Bucket, JoinedChart } from './join-tiles.ts'
import { partOf, type TimeRange, type TimeView, useViewValue } from './time-view.ts'
import { formatBucket, formatMoment, type ZoneTime } from './zone-time.ts'

type Slot = components['schemas']['StepsSlot']

interface ExplanationProps {
  userId: string
  data: JoinedChart
  bucket: Bucket
  time: ZoneTime
  nameProvider: NameProvider
  view: TimeView
  onClose: () => void
}

/** A day with a change of the clock has 25 hours. */
const LONGEST_EXPLAINED = 26 * 3600
const SLOTS = [
  ['minute', 60],
  ['5_minutes', 300],
  ['15_minutes', 900],
  ['hour', 3600],
  ['day', DAY_SECONDS],
] as const

const slotOf = (seconds: number) =>
  SLOTS.findLast(([, length]) => length <= seconds)?.[0] ?? 'minute'

const explanationQuery = (
  { key, team }: Environment,
  userId: string,
  resource: string,
  bucket: Bucket,
) =>
  queryOptions({
    queryKey: [...key, 'explanation', userId, resource, bucket.start, bucket.end],
    queryFn: async ({ signal }): Promise<Slot[]> => {
      const path =
        `/v2/timeseries/{user_id}/${resource}/merged` as '/v2/timeseries/{user_id}/steps/merged'
      const query = {
        start_date: new Date(bucket.start * 1000).toISOString(),
        end_date: new Date((bucket.end - 1) * 1000).toISOString(),
        slot: slotOf(bucket.end - bucket.start),
        ...{ explain: true, provider: '' as const },
      }
      const { data } = await unwrapResponse(
        team.GET(path, { params: { path: { user_id: userId }, query }, signal }),
      )
      return data
    },
  })

/**
 * Shows where a value comes from: the samples that count, and those that do not, with the reason.
 */
export function Explanation(props: ExplanationProps): ReactNode {
  const { data, bucket, time, nameProvider, view, onClose } = props
  const read = useCallback((range: TimeRange) => partOf(range, bucket.start).toFixed(3), [bucket])
  const at = Number(useViewValue(view, read))
  const isMerged = data.lines.every(({ source }) => source === null)
  const isShort = bucket.end - bucket.start <= LONGEST_EXPLAINED
  return (
    <section
      className="explanation"
      data-side={at < 0.5 ? 'right' : 'left'}
      style={{ '--at': at } as React.CSSProperties}
      aria-label="Where this value comes from"
    >
      <header>
        <h4>
          {formatBucket(bucket, time)}: {formatBucketValue(bucket, data)}
        </h4>
        <CloseButton aria-label="Close" onClick={onClose} />
      </header>
      {(!isMerged || !isShort) && <Origins bucket={bucket} nameProvider={nameProvider} />}
      {isMerged && isShort && <Samples {...props} />}
      {isMerged && !isShort && (
        <p className="quiet">
          Zoom in until a bar or point is a day or less to see the single samples.
        </p>
      )}
    </section>
  )
}

function Origins({
  bucket,
  nameProvider,
}: Pick<ExplanationProps, 'bucket' | 'nameProvider'>): ReactNode {
  const { used, setAside } = bucket.origin
  const names = (sources: typeof used) =>
    sources.map((source) => formatSource(source, nameProvider)).join('; ')
  return (
    <p>
      {formatQuantity(bucket.count, 'sample')} of {names(used)}.
      {setAside.length > 0 && ` Not counted, because these come first: ${names(setAside)}.`}
    </p>
  )
}

const REASONS: Record<string, string> = {
  lower_priority_source: 'another source comes first at that time',
  edge_of_better_source: 'the same event by another clock',
  counted_by_better_source: 'better sources have counted that much already',
}

const MOST_LISTED = 12

function Samples({ userId, data, bucket, time, nameProvider }: ExplanationProps): ReactNode {
  const environment = useEnvironment()
  const units = useUnits()
  const explanation = useQuery(explanationQuery(environment, userId, data.resource, bucket))
  if (explanation.error)
    return <Failure error={explanation.error} onRetry={() => explanation.refetch()} />
  if (explanation.data === undefined) return <Waiting label="Looking up the samples" lines={2} />
  const used = explanation.data.flatMap((slot) => slot.used ?? [])
  const aside = explanation.data.flatMap((slot) => slot.set_aside ?? [])
  const unit = unitOf(data.unit)
  const shown = shownUnitOf(data.resource, units)
  const show = (value: number) => formatValue(shown === undefined ? value : toShown(value, shown))
  const line = (start: string, source: (typeof used)[number]['source'], value: number) =>
    `${formatMoment(Date.parse(start) / 1000, time, true)}: ${show(value)} ${unit} of ${formatSource(source, nameProvider)}`
  return (
    <div className="explanation-lists">
      <div>
        <h5>Counted ({used.length.toLocaleString('en')})</h5>
        <ul>
          {used.slice(0, MOST_LISTED).map((sample) => (
            <li key={`${sample.start}${sample.source.provider}${sample.source.type}${sample.part}`}>
              {line(sample.start, sample.source, sample.part)}
            </li>
          ))}
        </ul>
        <More all={used.length} />
      </div>
      <div>
        <h5>Not counted ({aside.length.toLocaleString('en')})</h5>
        {aside.length === 0 && <p className="quiet">Nothing was set aside.</p>}
        <ul>
          {aside.slice(0, MOST_LISTED).map((sample) => (
            <li
              key={`${sample.start}${sample.source.provider}${sample.source.type}${sample.part}${sample.reason}`}
            >
              {line(sample.start, sample.source, sample.part)}
              <span className="quiet">
                {' '}
                {REASONS[sample.reason] ?? sample.reason} (
                {formatSource(sample.won_by, nameProvider)})
              </span>
            </li>
          ))}
        </ul>
        <More all={aside.length} />
      </div>
    </div>
  )
}

function More({ all }: { all: number }): ReactNode {
  return (
    all > MOST_LISTED && (
      <p className="quiet">and {(all - MOST_LISTED).toLocaleString('en')} more</p>
    )
  )
}
