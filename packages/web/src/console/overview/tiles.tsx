import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { BarChart } from '../components/bar-chart.tsx'
import { formatQuantity } from '../components/format-quantity.ts'
import type { Overview } from './overview-query.ts'

type Day = Overview['days'][number]

/** Shows a number for each part of the environment, with its days, and a link to its list. */
export function Tiles({ overview }: { overview: Overview }): ReactNode {
  const { people, connections, samples, orders, webhooks, days } = overview
  const about = samples.is_estimated ? 'about ' : ''
  const week = sumOf(days.slice(-7))
  return (
    <div className="overview-tiles">
      <Tile
        title="People with data"
        to="people"
        value={`${about}${format(people.active)}`}
        quiet={`of ${formatQuantity(people.total, 'person', 'people')}, last 7 days`}
        change={changeOf(people.active, people.active_before)}
        days={days}
        bar={(day) => ({ value: day.people })}
      />
      <Tile
        title="Samples"
        to="people"
        value={`${about}${format(week.samples)}`}
        quiet={`last 7 days; ${format(samples.stored)} stored`}
        change={weekly(days, 'samples')}
        days={days}
        bar={(day) => ({ value: day.samples })}
      />
      <Tile
        title="Syncs"
        to="events"
        search={{ type: 'daily.data.*' }}
        value={format(week.data_events)}
        quiet="events with new data, last 7 days"
        change={weekly(days, 'data_events')}
        days={days}
        bar={(day) => ({ value: day.data_events })}
      />
      <Tile
        title="Orders"
        to="orders"
        value={format(week.orders)}
        quiet={`last 7 days; ${format(orders.open)} in progress`}
        change={weekly(days, 'orders')}
        days={days}
        bar={(day) => ({ value: day.orders })}
      />
      <Tile
        title="Webhook attempts"
        to="webhooks"
        value={format(week.attempts_succeeded + week.attempts_failed)}
        quiet={`${format(week.attempts_failed)} failed, last 7 days; ${formatQuantity(webhooks.total, 'webhook')}`}
        days={days}
        bar={(day) => ({
          value: day.attempts_succeeded + day.attempts_failed,
          failed: day.attempts_failed,
        })}
      />
      <ConnectionsTile connections={connections} />
    </div>
  )
}

interface TileProps {
  title: string
  /** The list, below the environment. */
  to: 'people' | 'events' | 'orders' | 'webhooks'
  search?: Record<string, string>
  value: string
  quiet: string
  /** Difference to the week before as a part of it. */
  change?: number | undefined
  days: readonly Day[]
  bar: (day: Day) => { value: number; failed?: number }
}

function Tile({ title, to, search = {}, value, quiet, change, days, bar }: TileProps): ReactNode {
  const bars = days.map((day) => ({ key: day.date, title: formatDay(day.date), ...bar(day) }))
  const last = bars.at(-1)
  return (
    <TileFrame title={title} to={to} search={search}>
      <p className="overview-value">
        {value}
        {change !== undefined && <span className="quiet">{formatChange(change)}</span>}
      </p>
      <p className="quiet">{quiet}</p>
      <BarChart
        label={`${title} by day, ${format(last?.value ?? 0)} today.`}
        bars={bars}
        from={bars[0]?.title ?? ''}
        to={last?.title ?? ''}
      />
    </TileFrame>
  )
}

type FrameProps = Pick<TileProps, 'title' | 'to' | 'search'> & { children: ReactNode }

function TileFrame({ title, to, search, children }: FrameProps): ReactNode {
  const { teamId, env } = useEnvironment()
  return (
    <article className="overview-tile">
      <h3>
        <Link
          className="overview-link"
          to={`/$team/$env/${to}`}
          params={{ team: teamId, env }}
          search={search as never}
        >
          {title}
        </Link>
      </h3>
      {children}
    </article>
  )
}

const STATES = [
  { key: 'connected', title: 'working', state: 'connected' },
  { key: 'error', title: 'with an error', state: 'error' },
  { key: 'paused', title: 'paused', state: 'paused' },
] as const

/** Shows the connections by their state, each with a link to the people who have one. */
function ConnectionsTile({ connections }: Pick<Overview, 'connections'>): ReactNode {
  const { teamId, env } = useEnvironment()
  return (
    <article className="overview-tile">
      <h3>Connections</h3>
      <dl className="overview-states">
        {STATES.map(({ key, title, state }) => (
          <div key={key} data-tone={key === 'error' && connections.error > 0 ? 'bad' : undefined}>
            <dt>
              <Link
                to="/$team/$env/people"
                params={{ team: teamId, env }}
                search={{ state } as never}
              >
                {title}
              </Link>
            </dt>
            <dd>{format(connections[key])}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}

const COUNTED = [
  'samples',
  'data_events',
  'orders',
  'attempts_succeeded',
  'attempts_failed',
] as const
type Counted = (typeof COUNTED)[number]

function sumOf(days: readonly Day[]): Record<Counted, number> {
  const entries = COUNTED.map((name) => [name, days.reduce((sum, day) => sum + day[name], 0)])
  return Object.fromEntries(entries)
}

/** Compares whole days: the seven up to yesterday with the seven before. */
const weekly = (days: readonly Day[], name: Counted): number | undefined =>
  changeOf(sumOf(days.slice(-8, -1))[name], sumOf(days.slice(-15, -8))[name])

const changeOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : now / before - 1

const format = (count: number): string => count.toLocaleString('en')

function formatChange(change: number): string {
  const percent = Math.round(Math.abs(change) * 100)
  if (percent === 0) return 'as in the week before'
  return `${change > 0 ? 'up' : 'down'} ${percent.toLocaleString('en')} % on the week before`
}

/** `Mar 2`. */
const formatDay = (date: string): string =>
  new Date(date).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
