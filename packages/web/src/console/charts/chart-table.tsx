import { Button } from '@mantine/core'
import { type ReactNode, useCallback } from 'react'
import { formatQuantity } from '../components/format-quantity.ts'
import { formatBucketValue, formatSource, type NameProvider, wordsOf } from './chart-words.ts'
import type { Bucket, JoinedChart } from './join-tiles.ts'
import { type TimeRange, type TimeView, useViewValue } from './time-view.ts'
import { formatBucket, type ZoneTime } from './zone-time.ts'

interface ChartTableProps {
  data: JoinedChart
  view: TimeView
  time: ZoneTime
  nameProvider: NameProvider
  onChoose: (bucket: Bucket) => void
}

/** Longer tables are not readable; zooming in shows the other rows. */
const MOST_ROWS = 200
/** The table need not follow each frame. */
const wholeMinutes = ({ from, to }: TimeRange): string =>
  `${Math.floor(from / 60) * 60} ${Math.ceil(to / 60) * 60}`

/** Shows the values of a plot as a table. */
export function ChartTable({
  data,
  view,
  time,
  nameProvider,
  onChoose,
}: ChartTableProps): ReactNode {
  const range = useViewValue(view, useCallback(wholeMinutes, []))
  const [from = 0, to = 0] = range.split(' ').map(Number)
  const rows = data.lines.flatMap(({ type, buckets }) =>
    buckets
      .filter(({ start, end }) => end > from && start < to)
      .map((bucket): [string | null, Bucket] => [type, bucket]),
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="chart-table" tabIndex={0} aria-label="Values as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Value</th>
            <th scope="col">Samples</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map(([type, bucket]) => (
            <tr key={`${type ?? ''}${bucket.start}`}>
              <th scope="row">
                <Button variant="subtle" size="compact-sm" onClick={() => onChoose(bucket)}>
                  {formatBucket(bucket, time)}
                </Button>
              </th>
              <td>
                {type !== null && `${wordsOf(type)} `}
                {formatBucketValue(bucket, data)}
              </td>
              <td>{bucket.count.toLocaleString('en')}</td>
              <td>
                {bucket.origin.used.map((source) => formatSource(source, nameProvider)).join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p className="quiet">
          The first {MOST_ROWS} of {formatQuantity(rows.length, 'row')}. Zoom in to see the others.
        </p>
      )}
    </section>
  )
}
