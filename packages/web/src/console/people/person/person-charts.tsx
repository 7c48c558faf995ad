import { ActionIcon, Button } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { DAY_SECONDS } from '../../../time-units.ts'
import { useEnvironment } from '../../api/environment.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import type { NameProvider } from '../../charts/chart-words.ts'
import { SessionRows } from '../../charts/session-rows.tsx'
import {
  createTimeView,
  panView,
  type TimeRange,
  type TimeView,
  useViewValue,
  zoomView,
} from '../../charts/time-view.ts'
import type { ChartName } from '../../charts/use-chart.ts'
import { createLocalTime, formatRange, type ZoneTime } from '../../charts/zone-time.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import {
  IconChevronLeft,
  IconChevronRight,
  IconZoomIn,
  IconZoomOut,
} from '../../components/icons.tsx'
import { Section } from '../../components/page.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { chartListQuery, personQuery, providersQuery } from './person-queries.ts'
import { resourceTitle } from './resource-title.ts'
import './person-charts.css'

const PRESETS = [
  ['Day', DAY_SECONDS],
  ['Week', 7 * DAY_SECONDS],
  ['Month', 30 * DAY_SECONDS],
  ['3 months', 91 * DAY_SECONDS],
  ['Year', 365 * DAY_SECONDS],
] as const
const FIRST_SPAN = 30 * DAY_SECONDS

/** Series that are shown at first, if the person has them. */
const USUAL = ['heartrate', 'steps', 'glucose', 'body_weight', 'blood_pressure']
const FEWEST = 3

/** Shows all series of a person on one time axis, from years to a minute. */
export function PersonCharts({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { data: listed } = useSuspenseQuery(chartListQuery(environment, userId))
  const { data: person } = useSuspenseQuery(personQuery(environment, userId))
  // Charts need not wait for names.
  const { data: providers } = useQuery(providersQuery(environment))
  const charts = useMemo(() => orderCharts(listed.data), [listed])
  const nameProvider = useCallback<NameProvider>(
    (slug) => providers?.get(slug)?.name ?? slug,
    [providers],
  )
  const zone = person?.fallback_time_zone?.id
  const time = useMemo(() => createLocalTime(zone, listed.local_times), [zone, listed])
  if (charts.length === 0) {
    return (
      <Section id="charts" title="Charts">
        <EmptyState title="No measurements yet.">
          They appear with the first sync of a connection, or with an upload. The connections are
          below.
        </EmptyState>
      </Section>
    )
  }
  const seconds = (text: string): number => Date.parse(text) / 1000
  const limits = {
    from: Math.min(...charts.map((chart) => seconds(chart.oldest_data))),
    to: Math.max(...charts.map((chart) => seconds(chart.newest_data))) + 60,
  }
  return <Charts {...{ userId, charts, limits, time, nameProvider }} />
}

interface ChartsProps {
  userId: string
  charts: readonly ChartName[]
  limits: TimeRange
  time: ZoneTime
  nameProvider: NameProvider
}

function Charts({ userId, charts, limits, time, nameProvider }: ChartsProps): ReactNode {
  const view = useRangeOfAddress(limits)
  const [{ charts: named }, change] = useViewState({ charts: '' })
  const chosen = chooseCharts(charts, named)
  return (
    <Section
      id="charts"
      title="Charts"
      description={
        <>
          Times are those of {time.name}
          {time.name === 'UTC'
            ? ', because the zone of the person is not known'
            : ', where the person is; times of a journey are local to it'}
          . Drag to move; zoom with Ctrl and wheel, two fingers or a double click; click a value to
          see its source.
        </>
      }
    >
      <RangeBar view={view} limits={limits} time={time} />
      <ChartChoice
        charts={charts}
        chosen={chosen}
        onChange={(resources) => change({ charts: resources.join('.') })}
      />
      <div className="timeline-charts">
        {charts
          .filter(({ resource }) => chosen.includes(resource))
          .map((chart) => (
            <ChartPanel key={chart.resource} {...{ userId, chart, view, time, nameProvider }} />
          ))}
        <SessionRows {...{ userId, view, time, nameProvider }} />
      </div>
    </Section>
  )
}

/** Orders the usual charts first, the others by their titles. */
function orderCharts<Listed extends ChartName>(charts: readonly Listed[]): Listed[] {
  const rank = ({ resource }: Listed): string =>
    USUAL.includes(resource) ? String(USUAL.indexOf(resource)) : resourceTitle(resource)
  return charts.toSorted((a, b) => rank(a).localeCompare(rank(b), 'en'))
}

function chooseCharts(charts: readonly ChartName[], named: string): string[] {
  const there = charts.map(({ resource }) => resource)
  if (named !== '') return named.split('.').filter((resource) => there.includes(resource))
  const usual = USUAL.filter((resource) => there.includes(resource))
  return usual.length >= FEWEST ? usual : [...new Set([...usual, ...there])].slice(0, FEWEST)
}

const toAddress = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19)
const ofAddress = (text: string): number => Date.parse(`${text}Z`) / 1000

/** Long enough that a drag changes the address once. */
const SETTLE_MS = 400

/** The shared range of the charts. The address follows it, and sets it when the user goes back. */
function useRangeOfAddress(limits: TimeRange): TimeView {
  const [{ from, to }, change] = useViewState({ from: '', to: '' })
  const range = { from: ofAddress(from), to: ofAddress(to) }
  const isInAddress = range.to > range.from
  const [view] = useState(() =>
    createTimeView(isInAddress ? range : { from: limits.to - FIRST_SPAN, to: limits.to }, limits),
  )
  const written = useRef(`${from} ${to}`)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const unsubscribe = view.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const range = view.get()
        const next = { from: toAddress(range.from), to: toAddress(range.to) }
        written.current = `${next.from} ${next.to}`
        change(next)
      }, SETTLE_MS)
    })
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [view, change])
  useEffect(() => {
    if (`${from} ${to}` === written.current) return
    written.current = `${from} ${to}`
    const range = { from: ofAddress(from), to: ofAddress(to) }
    if (range.to > range.from) view.set(range)
  }, [from, to, view])
  return view
}

interface RangeBarProps {
  view: TimeView
  limits: TimeRange
  time: ZoneTime
}

/** Shows the visible range, with buttons for everything that a pointer can do. */
function RangeBar({ view, limits, time }: RangeBarProps): ReactNode {
  const read = useCallback(({ from, to }: TimeRange) => formatRange(from, to, time), [time])
  const range = useViewValue(view, read)
  const readName = useCallback((shown: TimeRange) => nameOfRange(shown, limits), [limits])
  const chosen = useViewValue(view, readName)
  const show = (span: number): void => {
    const { to } = view.get()
    const end = Math.min(to, limits.to)
    view.set({ from: end - span, to: end })
  }
  const buttons: [string, typeof IconZoomIn, () => void][] = [
    ['Earlier', IconChevronLeft, () => panView(view, -0.5)],
    ['Later', IconChevronRight, () => panView(view, 0.5)],
    ['Zoom in', IconZoomIn, () => zoomView(view, 0.5)],
    ['Zoom out', IconZoomOut, () => zoomView(view, 2)],
  ]
  return (
    <div className="timeline-bar">
      <p className="timeline-range" aria-live="polite">
        {range}
      </p>
      <div className="timeline-buttons">
        {PRESETS.map(([name, span]) => (
          <RangeButton
            key={name}
            name={name}
            isChosen={name === chosen}
            onClick={() => show(span)}
          />
        ))}
        <RangeButton name={ALL} isChosen={chosen === ALL} onClick={() => view.set(limits)} />
        {buttons.map(([label, Icon, act]) => (
          <ActionIcon key={label} variant="subtle" aria-label={label} title={label} onClick={act}>
            <Icon size={18} />
          </ActionIcon>
        ))}
      </div>
    </div>
  )
}

interface RangeButtonProps {
  name: string
  isChosen: boolean
  onClick: () => void
}

function RangeButton({ name, isChosen, onClick }: RangeButtonProps): ReactNode {
  return (
    <Button variant="subtle" size="compact-sm" aria-pressed={isChosen} onClick={onClick}>
      {name}
    </Button>
  )
}

const ALL = 'All'
/** The view is clamped to its limits and rounded to frames. */
const NEAR = 0.01

/** Returns the name of the range that is as long as the visible one. */
function nameOfRange({ from, to }: TimeRange, limits: TimeRange): string {
  const isAs = (span: number): boolean => Math.abs((to - from) / span - 1) < NEAR
  const preset = PRESETS.find(([, span]) => isAs(span))
  return preset?.[0] ?? (isAs(limits.to - limits.from) ? ALL : '')
}

interface ChartChoiceProps {
  charts: readonly ChartName[]
  chosen: readonly string[]
  onChange: (resources: string[]) => void
}

function ChartChoice({ charts, chosen, onChange }: ChartChoiceProps): ReactNode {
  return (
    <fieldset className="timeline-choice">
      <legend className="only-read">Charts</legend>
      {charts.map(({ resource }) => {
        const isChosen = chosen.includes(resource)
        const others = chosen.filter((one) => one !== resource)
        return (
          <label key={resource}>
            <input
              type="checkbox"
              checked={isChosen}
              onChange={() => onChange(isChosen ? others : [...chosen, resource])}
            />
            {resourceTitle(resource)}
          </label>
        )
      })}
    </fieldset>
  )
}
