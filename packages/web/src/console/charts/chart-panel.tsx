import { ActionIcon } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useCallback, useId, useMemo, useState } from 'react'
import { Failure } from '../components/failure.tsx'
import { IconTable } from '../components/icons.tsx'
import { type ShownUnits, useUnits } from '../components/units.ts'
import { Waiting } from '../components/waiting.tsx'
import { resourceTitle } from '../people/person/resource-title.ts'
import { ChartTable } from './chart-table.tsx'
import {
  formatBucketValue,
  formatShort,
  formatSource,
  type NameProvider,
  summarizeChart,
  unitOf,
  wordsOf,
} from './chart-words.ts'
import { Explanation } from './explanation.tsx'
import { moveByKey } from './gestures.ts'
import { type Bucket, type ChartSource, type JoinedChart, nameOfSource } from './join-tiles.ts'
import { Plot, type PlotContent } from './plot.tsx'
import { drawLayers, drawTarget, targetOf } from './plot-layers.ts'
import { toPlotSeries } from './plot-series.ts'
import { partOf, type TimeRange, type TimeView, useViewValue } from './time-view.ts'
import { type ChartName, useChart } from './use-chart.ts'
import { formatBucket, type ZoneTime } from './zone-time.ts'
import './charts.css'

interface ChartPanelProps {
  userId: string
  chart: ChartName
  view: TimeView
  time: ZoneTime
  nameProvider: NameProvider
}

const HEIGHT = 150

/**
 * One chart of the timeline: its title, the value under the cursor, the plot, and a table of its
 * values.
 */
export function ChartPanel(props: ChartPanelProps): ReactNode {
  const { userId, chart, view } = props
  const { data, isLoading, error, retry } = useChart(view, userId, chart)
  const title = resourceTitle(chart.resource)
  return (
    <section className="chart" aria-label={title} aria-busy={isLoading}>
      {data === undefined && error === null && <Waiting label={`Loading ${title}`} lines={4} />}
      {error !== null && <Failure error={error} onRetry={retry} />}
      {data !== undefined && <LoadedChart {...props} data={data} isLoading={isLoading} />}
    </section>
  )
}

const PADDING = 0.08

/**
 * Returns what to plot: amounts begin at zero; readings have some room above and below, and show
 * their target range.
 */
function contentOf(data: JoinedChart, units: ShownUnits): PlotContent {
  const target = targetOf(data.resource, units)
  return {
    series: (colors) => toPlotSeries(data, colors),
    rangeOf: (least, most) => {
      if (least === null || most === null) return [0, 1]
      if (data.kind === 'sum') return [0, most === 0 ? 1 : most * (1 + PADDING)]
      const low = Math.min(least, target?.from ?? least)
      const high = Math.max(most, target?.to ?? most)
      const room = (high - low || Math.abs(high) * 0.1 || 1) * PADDING
      return [low - room, high + room]
    },
    formatTick: formatShort,
    drawBelow: (plot, colors) => {
      if (target !== undefined) drawTarget(plot, target, colors)
    },
    drawAbove: (plot, colors) => drawLayers(plot, data, colors),
  }
}

/**
 * Returns the bucket of each line at an instant, or the last one before it within a twelfth of the
 * visible range.
 */
function bucketsAt(
  data: JoinedChart,
  seconds: number,
  { from, to }: TimeRange,
): [string | null, Bucket][] {
  const reach = (to - from) / 50
  return data.lines.flatMap((line): [string | null, Bucket][] => {
    const index = line.buckets.findLastIndex(({ start }) => start <= seconds)
    const near = [line.buckets[index], line.buckets[index + 1]].filter(
      (bucket) => bucket !== undefined,
    )
    const distance = ({ start, end }: Bucket): number =>
      seconds < start ? start - seconds : Math.max(0, seconds - end)
    const [best] = near.sort((a, b) => distance(a) - distance(b))
    return best !== undefined && distance(best) <= reach ? [[line.type, best]] : []
  })
}

function LoadedChart(
  props: ChartPanelProps & { data: JoinedChart; isLoading: boolean },
): ReactNode {
  const { data, view, time, nameProvider, userId, isLoading } = props
  const [point, setPoint] = useState<number | null>(null)
  const [chosen, setChosen] = useState<Bucket | null>(null)
  const [isTable, setTable] = useState(false)
  const units = useUnits()
  const content = useMemo(() => contentOf(data, units), [data, units])
  const choose = useCallback(
    (seconds: number) => setChosen(bucketsAt(data, seconds, view.get())[0]?.[1] ?? null),
    [data, view],
  )
  const titleId = useId()
  const title = resourceTitle(data.resource)
  return (
    <>
      <header className="chart-header">
        <h3 id={titleId}>
          {title}{' '}
          {unitOf(data.unit) !== '' && <span className="chart-unit">{unitOf(data.unit)}</span>}
        </h3>
        <Readout data={data} point={point} view={view} time={time} nameProvider={nameProvider} />
        <ActionIcon
          variant="subtle"
          aria-label={`${title} as a table`}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          <IconTable size={18} />
        </ActionIcon>
      </header>
      <div className="chart-body">
        <Moveable {...{ view, data, titleId, point, setPoint, choose }}>
          <div className="chart-progress" data-active={isLoading} />
          {chosen !== null && <ChosenMark view={view} bucket={chosen} />}
          <Plot {...{ view, time, content }} height={HEIGHT} onPoint={setPoint} onClick={choose} />
        </Moveable>
        {chosen !== null && (
          <Explanation
            {...{ userId, data, time, nameProvider, view }}
            bucket={chosen}
            onClose={() => setChosen(null)}
          />
        )}
      </div>
      <SourceLegend
        sources={data.sources}
        isColored={data.kind !== 'pair'}
        nameProvider={nameProvider}
      />
      {isTable && <ChartTable {...{ data, view, time, nameProvider }} onChoose={setChosen} />}
    </>
  )
}

/** Marks the bucket whose explanation is open. */
function ChosenMark({ view, bucket }: { view: TimeView; bucket: Bucket }): ReactNode {
  const read = useCallback(
    (range: TimeRange) =>
      [partOf(range, bucket.start), partOf(range, bucket.end)]
        .map((part) => part.toFixed(4))
        .join(' '),
    [bucket],
  )
  const [from = 0, to = 0] = useViewValue(view, read).split(' ').map(Number)
  const style = { '--from': from, '--to': to } as React.CSSProperties
  return <div className="chart-chosen" style={style} aria-hidden />
}

interface MoveableProps {
  view: TimeView
  data: JoinedChart
  titleId: string
  point: number | null
  setPoint: (seconds: number) => void
  choose: (seconds: number) => void
  children: ReactNode
}

/**
 * Handles the keyboard: arrows and + and - move the visible range, with Shift the arrows go from
 * value to value.
 */
function Moveable({
  view,
  data,
  titleId,
  point,
  setPoint,
  choose,
  children,
}: MoveableProps): ReactNode {
  const summaryId = useId()
  const step = (direction: 1 | -1): void => {
    const { from, to } = view.get()
    const starts = data.lines.flatMap(({ buckets }) => buckets.map(({ start }) => start))
    const visible = starts.filter((start) => start >= from && start <= to).sort((a, b) => a - b)
    const now = point ?? (direction > 0 ? from - 1 : to + 1)
    const next =
      direction > 0
        ? visible.find((start) => start > now)
        : visible.findLast((start) => start < now)
    if (next !== undefined) setPoint(next)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      step(event.key === 'ArrowRight' ? 1 : -1)
    } else if (event.key === 'Enter' && point !== null) choose(point)
    else if (!moveByKey(view, event.key)) return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: no element is a plot
    <div
      className="chart-plot"
      role="group"
      aria-labelledby={titleId}
      aria-describedby={summaryId}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes keys
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {children}
      <Summary id={summaryId} data={data} view={view} />
    </div>
  )
}

function Summary({ id, data, view }: { id: string; data: JoinedChart; view: TimeView }): ReactNode {
  const read = useCallback(({ from, to }: TimeRange) => summarizeChart(data, from, to), [data])
  return (
    <p id={id} className="only-read">
      {useViewValue(view, read)} Arrow keys move in time, plus and minus zoom, Shift with an arrow
      key reads value by value, Enter says where a value comes from.
    </p>
  )
}

interface ReadoutProps {
  data: JoinedChart
  point: number | null
  view: TimeView
  time: ZoneTime
  nameProvider: NameProvider
}

/** Shows the value under the cursor with its time and source. */
function Readout({ data, point, view, time, nameProvider }: ReadoutProps): ReactNode {
  const found = point === null ? [] : bucketsAt(data, point, view.get())
  const [first] = found
  if (first === undefined) return <p className="chart-readout" aria-live="polite" />
  const [, bucket] = first
  return (
    <p className="chart-readout" aria-live="polite">
      <span className="quiet">{formatBucket(bucket, time)}</span>{' '}
      {found.map(([type, ofLine], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their order
        <strong key={index}>
          {type !== null && `${wordsOf(type)} `}
          {formatBucketValue(ofLine, data)}
          {index < found.length - 1 && ', '}
        </strong>
      ))}{' '}
      <span className="quiet">
        {bucket.origin.used.map((source) => formatSource(source, nameProvider)).join(' and ')}
      </span>
    </p>
  )
}

interface LegendProps {
  sources: readonly ChartSource[]
  isColored: boolean
  nameProvider: NameProvider
}

/** Lists the sources of the values; with several, the strip below the plot has their colors. */
function SourceLegend({ sources, isColored, nameProvider }: LegendProps): ReactNode {
  if (sources.length === 0)
    return <p className="chart-nothing quiet">There are no data in this range.</p>
  return (
    <ul className="chart-sources" aria-label="Sources">
      {sources.map((source, index) => (
        <li key={nameOfSource(source)}>
          {isColored && sources.length > 1 && <span className="chart-swatch" data-source={index} />}
          {formatSource(source, nameProvider)}
        </li>
      ))}
    </ul>
  )
}
