import { type ReactNode, useId, useMemo, useState } from 'react'
import type uPlot from 'uplot'
import { Failure } from '../components/failure.tsx'
import type { NameProvider } from './chart-words.ts'
import { Plot, type PlotContent } from './plot.tsx'
import type { PlotColors } from './plot-colors.ts'
import { nameTiles } from './time-tiles.ts'
import { type TimeView, useViewValue } from './time-view.ts'
import { type Session, useSessions } from './use-sessions.ts'
import { createOffsetTime, formatMoment, type ZoneTime } from './zone-time.ts'

interface SessionRowsProps {
  userId: string
  view: TimeView
  time: ZoneTime
  nameProvider: NameProvider
}

const HEIGHT = 92
const ROWS = [
  { kind: 'sleep', title: 'Sleep', color: 3 },
  { kind: 'workout', title: 'Workouts', color: 2 },
] as const
const FILLED = 0.62

function drawRows(plot: uPlot, sessions: readonly Session[], colors: PlotColors): void {
  const { ctx, bbox } = plot
  const height = bbox.height / ROWS.length
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { kind, from, to } of sessions) {
    const row = ROWS.findIndex((one) => one.kind === kind)
    const left = plot.valToPos(from, 'x', true)
    const width = Math.max(1.5, plot.valToPos(to, 'x', true) - left)
    if (left + width < bbox.left || left > bbox.left + bbox.width) continue
    ctx.fillStyle = colors.sources[ROWS[row]?.color ?? 0] ?? colors.line
    const top = bbox.top + height * row + (height * (1 - FILLED)) / 2
    ctx.beginPath()
    ctx.roundRect(left, top, width, height * FILLED, Math.min(3 * devicePixelRatio, width / 2))
    ctx.fill()
  }
  ctx.restore()
}

function contentOf(sessions: readonly Session[]): PlotContent {
  return {
    series: () => ({ data: [[0]], series: [{}], bands: [] }),
    rangeOf: () => [0, ROWS.length],
    drawAbove: (plot, colors) => drawRows(plot, sessions, colors),
  }
}

const hoursOf = ({ from, to }: Session): string => {
  const minutes = Math.round((to - from) / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const localTimeOf = ({ offset }: Session, time: ZoneTime): ZoneTime =>
  offset === null ? time : createOffsetTime(offset)

/** Nights and workouts on the time axis of the charts. */
export function SessionRows({ userId, view, time, nameProvider }: SessionRowsProps): ReactNode {
  const names = useViewValue(view, nameTiles)
  const { sessions, error } = useSessions(userId, names)
  const [point, setPoint] = useState<number | null>(null)
  const content = useMemo(() => contentOf(sessions ?? []), [sessions])
  const titleId = useId()
  if (error !== null) return <Failure error={error} />
  const under =
    point === null ? [] : (sessions ?? []).filter(({ from, to }) => from <= point && point <= to)
  return (
    <section className="chart" aria-labelledby={titleId}>
      <header className="chart-header">
        <h3 id={titleId}>Sleep and workouts</h3>
        <p className="chart-readout" aria-live="polite">
          {under.map((session) => (
            <span key={session.id}>
              <strong>{session.name}</strong> {hoursOf(session)}{' '}
              <span className="quiet">
                from {formatMoment(session.from, localTimeOf(session, time))},{' '}
                {nameProvider(session.provider)}{' '}
              </span>
            </span>
          ))}
        </p>
      </header>
      {sessions === null ? (
        <p className="chart-nothing quiet">Zoom in to a year or less to see nights and workouts.</p>
      ) : (
        <div className="session-rows">
          <div className="row-names" aria-hidden="true">
            {ROWS.map(({ kind, title }) => (
              <span key={kind}>{title}</span>
            ))}
          </div>
          <Plot
            {...{ view, time, content }}
            height={HEIGHT}
            isRows
            onPoint={setPoint}
            onClick={() => {}}
          />
          <SessionList {...{ sessions, view, time }} />
        </div>
      )}
    </section>
  )
}

const MOST_READ = 20

/** The same nights and workouts for screen readers. */
function SessionList({
  sessions,
  view,
  time,
}: {
  sessions: readonly Session[]
  view: TimeView
  time: ZoneTime
}): ReactNode {
  const { from, to } = view.get()
  const visible = sessions.filter((session) => session.to > from && session.from < to)
  const isMore = visible.length > MOST_READ
  return (
    <ul className="only-read">
      {visible.slice(-MOST_READ).map((session) => (
        <li key={session.id}>
          {session.name}, {hoursOf(session)}, from{' '}
          {formatMoment(session.from, localTimeOf(session, time))}
        </li>
      ))}
      {isMore && <li>and {visible.length - MOST_READ} before</li>}
    </ul>
  )
}
