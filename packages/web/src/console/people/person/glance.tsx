import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { usePermission } from '../../api/session.ts'
import { type ShownUnits, shownUnitOf, toShown, useUnits } from '../../components/units.ts'
import { formatInterval, formatUnit, interpretResult } from './laboratory/analytes.ts'
import { addDays, formatDay, formatDuration } from './local-time.ts'
import { type Glance, glanceQuery, providersQuery } from './person-queries.ts'
import { sourceTitle } from './sources/source-words.ts'
import './glance.css'

type Figure = Glance['figures'][number]
type Results = NonNullable<Glance['results']>

interface FigureWords {
  title: string
  /** Where the tile leads to: a tab of the page, and a section or a chart there. */
  search: Record<string, string | undefined>
  hash?: string
  format: (value: number, units: ShownUnits) => string
  /** Formats a difference without its sign; `format` unless given. */
  formatChange?: (value: number, units: ShownUnits) => string
  /** Said where there are no data. */
  missing: string
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const inWeight = (kilograms: number, units: ShownUnits): string => {
  const shown = shownUnitOf('weight', units)
  if (shown === undefined) return `${kilograms.toFixed(1)} kg`
  return `${toShown(kilograms, shown).toFixed(1)} ${shown.unit}`
}
const rangeWords = ({ glucose }: ShownUnits): string =>
  glucose === 'mg/dL' ? '70–180 mg/dL' : '3.9–10 mmol/L'

const chart = (resource: string) => ({ tab: undefined, charts: resource })

const WORDS: Readonly<Record<Figure['name'], FigureWords>> = {
  steps: {
    title: 'Steps',
    search: chart('steps'),
    hash: 'charts',
    format: (value) => whole.format(value),
    missing: 'No steps',
  },
  sleep_duration: {
    title: 'Last night',
    search: { tab: 'sleep' },
    format: formatDuration,
    missing: 'No nights',
  },
  resting_heart_rate: {
    title: 'Resting pulse',
    search: { tab: 'sleep' },
    format: (value) => `${whole.format(value)} bpm`,
    missing: 'No resting pulse',
  },
  heart_rate_variability: {
    title: 'Heart rate variability',
    search: { tab: 'sleep' },
    format: (value) => `${whole.format(value)} ms`,
    missing: 'No variability',
  },
  glucose_in_range: {
    title: 'Glucose in range',
    search: chart('glucose'),
    hash: 'charts',
    format: (value) => `${whole.format(value)} %`,
    formatChange: (value) => `${whole.format(value)} points`,
    missing: 'No glucose readings',
  },
  weight: {
    title: 'Weight',
    search: chart('body_weight'),
    hash: 'charts',
    format: inWeight,
    missing: 'No weight',
  },
}

/** The newest figures of a person beside each other; each leads to what it is from. */
export function GlanceTiles({ userId }: { userId: string }): ReactNode {
  // The figures are of health data and of results.
  if (!usePermission('health:read', 'results:read')) return null
  return <Tiles userId={userId} />
}

function Tiles({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { data: glance } = useSuspenseQuery(glanceQuery(environment, userId))
  return (
    <ul className="glance" aria-label="At a glance">
      {glance.figures.map((figure) => (
        <li key={figure.name}>
          <FigureTile figure={figure} today={glance.date} />
        </li>
      ))}
      <li>
        <ResultsTile results={glance.results} today={glance.date} />
      </li>
    </ul>
  )
}

/** `today`, `yesterday` or the day itself. */
function dayWords(date: string, today: string): string {
  if (date === today) return 'today'
  return date === addDays(today, -1) ? 'yesterday' : formatDay(date)
}

function FigureTile({ figure, today }: { figure: Figure; today: string }): ReactNode {
  const units = useUnits()
  const { title, search, hash, format, missing } = WORDS[figure.name]
  const isNight = figure.name === 'sleep_duration'
  const { value, date } = figure
  return (
    <Link
      to="."
      search={search as never}
      {...(hash !== undefined && { hash })}
      resetScroll={false}
      className="glance-tile"
    >
      <span className="glance-title">{isNight && date !== today ? 'Newest night' : title}</span>
      {value === null || date === null ? (
        <span className="glance-missing">{missing}</span>
      ) : (
        <>
          <strong className="glance-value">{format(value, units)}</strong>
          <span className="glance-when">
            {isNight && date === today ? 'this morning' : dayWords(date, today)}
            {figure.is_complete === false && figure.name === 'steps' && ', so far'}
            {figure.name === 'glucose_in_range' && `, ${rangeWords(units)}`}
          </span>
          <Change figure={figure} />
          <Sources figure={figure} />
        </>
      )}
    </Link>
  )
}

/** Compares a value with its mean; a day that goes on has no difference yet. */
function Change({ figure }: { figure: Figure }): ReactNode {
  const units = useUnits()
  const { name, mean, change, days } = figure
  const { format, formatChange = format } = WORDS[name]
  if (mean === null || change === null) {
    return <span className="glance-mean">no value in the 4 weeks before</span>
  }
  const isGoingOn = figure.is_complete === false && name === 'steps'
  const size = formatChange(Math.abs(change), units)
  const isSame = size === formatChange(0, units)
  const difference = isSame ? 'as in' : `${change > 0 ? '▲' : '▼'} ${size}`
  return (
    <span
      className="glance-mean"
      title={`Mean of ${days} ${days === 1 ? 'day' : 'days'} with a value, of the 28 before`}
    >
      {!isGoingOn && <span className="glance-change">{difference}</span>}
      {isSame && !isGoingOn ? ' the 4 weeks before' : ` 4 weeks: ${format(mean, units)}`}
    </span>
  )
}

function Sources({ figure: { sources, set_aside: aside } }: { figure: Figure }): ReactNode {
  const { data: providers } = useSuspenseQuery(providersQuery(useEnvironment()))
  if (sources.length === 0) return null
  const nameOf = (slug: string): string => providers.get(slug)?.name ?? slug
  const names = [...new Set(sources.map((source) => sourceTitle(source, nameOf)))]
  return (
    <span className="glance-sources">
      {names.join(' and ')}
      {aside.length > 0 && `, ${aside.length} more not counted`}
    </span>
  )
}

function ResultsTile({ results, today }: { results: Results | null; today: string }): ReactNode {
  return (
    <Link
      to="."
      search={{ tab: 'laboratory' } as never}
      hash="results"
      resetScroll={false}
      className="glance-tile"
    >
      <span className="glance-title">Newest results</span>
      {results === null ? (
        <span className="glance-missing">No laboratory results</span>
      ) : (
        <>
          <strong className="glance-value" data-tone={toneOf(results)}>
            {results.abnormal === 0 ? 'None flagged' : `${results.abnormal} of ${results.count}`}
            {results.abnormal > 0 && <small> flagged</small>}
          </strong>
          <span className="glance-when">
            {results.date === null ? 'day unknown' : dayWords(results.date, today)}
          </span>
          <Analytes results={results} />
        </>
      )}
    </Link>
  )
}

const toneOf = ({ critical, abnormal }: Results): string =>
  critical > 0 ? 'bad' : abnormal > 0 ? 'warning' : 'good'

const MOST_ANALYTES = 3

function Analytes({ results: { results } }: { results: Results }): ReactNode {
  return results.slice(0, MOST_ANALYTES).map((result) => {
    const interval = formatInterval(result.min_range_value, result.max_range_value)
    return (
      <span key={`${result.name} ${result.value}`} className="glance-mean">
        {result.name} <strong>{result.value}</strong> {formatUnit(result.unit)}{' '}
        <span className="glance-sources">
          {interpretResult(result).label.toLowerCase()}
          {interval !== undefined && `, ${interval}`}
        </span>
      </span>
    )
  })
}
