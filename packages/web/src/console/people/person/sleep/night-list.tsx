import type { ReactNode } from 'react'
import { formatDay, formatDuration } from '../local-time.ts'
import { type Axis, axisOf, formatHour, type Night, ticksOf } from './sleep-night.ts'

interface NightListProps {
  nights: readonly Night[]
  chosen: Night
  onChoose: (night: Night) => void
}

/**
 * Shows nights below each other on one axis of local time, so that late and short ones stand out.
 */
export function NightList({ nights, chosen, onChoose }: NightListProps): ReactNode {
  const axis = axisOf(nights)
  return (
    <div className="nights">
      <div className="night-axis" aria-hidden>
        {ticksOf(axis).map((hour) => (
          <span key={hour} style={{ left: percent(axis, hour) }}>
            {formatHour(hour)}
          </span>
        ))}
      </div>
      <ol>
        {nights.map((night) => (
          <li key={night.sleep.id}>
            <button
              type="button"
              className="night"
              aria-pressed={night === chosen}
              onClick={() => onChoose(night)}
            >
              <span className="night-day">{formatDay(night.sleep.calendar_date)}</span>
              <NightStrip night={night} axis={axis} />
              <span className="night-total">{formatDuration(night.sleep.total)}</span>
              <span className="night-source">
                {night.sleep.source.name}
                {night.sleep.merged.set_aside.length > 0 &&
                  ` +${night.sleep.merged.set_aside.length}`}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  )
}

const percent = ({ from, to }: Axis, hour: number): string =>
  `${((hour - from) / (to - from)) * 100}%`

function NightStrip({ night, axis }: { night: Night; axis: Axis }): ReactNode {
  const { from, to } = axis
  return (
    <svg
      className="night-strip"
      viewBox={`${from} 0 ${to - from} 1`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {night.segments.map((segment) => (
        <rect
          key={`${segment.from} ${segment.stage}`}
          x={segment.from}
          width={Math.max(0, segment.to - segment.from)}
          height={1}
          data-stage={segment.stage}
        />
      ))}
    </svg>
  )
}
