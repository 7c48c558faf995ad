import type { ReactNode } from 'react'
import {
  formatTemperature,
  formatTemperatureDelta,
  type ShownUnits,
  useUnits,
} from '../../../components/units.ts'
import { formatClock, formatDay, formatDuration, formatOffset, toLocal } from '../local-time.ts'
import { SameRecords } from '../sources/same-records.tsx'
import { NightHeartRate } from './night-heart-rate.tsx'
import { formatHour, type Night, STAGE_TITLES, STAGES, ticksOf } from './sleep-night.ts'

/** Shows one night in full: its hypnogram, the heart rate below it, and its measurements. */
export function NightDetail({ night, userId }: { night: Night; userId: string }): ReactNode {
  const { sleep } = night
  const units = useUnits()
  const { timezone_offset: offset, bedtime_start_offset: startOffset } = sleep
  const isChanged = startOffset !== offset
  const start = formatClock(toLocal(sleep.bedtime_start, startOffset))
  const stop = formatClock(toLocal(sleep.bedtime_stop, offset))
  return (
    <article className="night-detail">
      <header>
        <h3>{formatDay(sleep.calendar_date)}</h3>
        <p className="quiet">
          {start}
          {isChanged && ` (${formatOffset(startOffset)})`} – {stop} ({formatOffset(offset)}), from{' '}
          {sleep.source.name}
          {sleep.type === 'long_sleep' ? '' : `, ${NAMES_OF_TYPES[sleep.type] ?? sleep.type}`}
        </p>
      </header>
      {isChanged && (
        <p className="quiet">
          The clock was changed in this night. The hours below are those after the change.
        </p>
      )}
      {night.hasStages ? (
        <Hypnogram night={night} />
      ) : (
        <p className="quiet">The source does not report the stages of this night.</p>
      )}
      <NightHeartRate night={night} userId={userId} />
      <dl className="fact-grid">
        {factsOf(night, units).map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <SameRecords resource="sleep" session={sleep} />
    </article>
  )
}

const NAMES_OF_TYPES: Record<string, string> = {
  short_sleep: 'a short sleep',
  acknowledged_nap: 'a nap',
  unknown: 'of an unknown kind',
}

function Hypnogram({ night }: { night: Night }): ReactNode {
  const { from, to, segments } = night
  const staged = segments.flatMap(({ stage, ...rest }) =>
    stage === 'asleep' ? [] : [{ ...rest, stage, level: STAGES.indexOf(stage) }],
  )
  const summary = STAGES.map(
    (stage) => `${STAGE_TITLES[stage].toLowerCase()} ${formatDuration(night.sleep[stage])}`,
  ).join(', ')
  return (
    <div className="hypnogram">
      <div className="hypnogram-levels" aria-hidden>
        {STAGES.map((stage) => (
          <span key={stage}>{STAGE_TITLES[stage]}</span>
        ))}
      </div>
      <svg
        viewBox={`${from} 0 ${to - from} 4`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Stages of the night: ${summary}`}
      >
        {[1, 2, 3].map((level) => (
          <line key={level} x1={from} x2={to} y1={level} y2={level} className="hypnogram-grid" />
        ))}
        {staged.slice(1).map((segment, index) => {
          const before = staged[index]
          if (before === undefined || segment.from - before.to > 0.02) return null
          return (
            <line
              key={segment.from}
              x1={segment.from}
              x2={segment.from}
              y1={before.level + 0.5}
              y2={segment.level + 0.5}
              className="hypnogram-step"
            />
          )
        })}
        {staged.map((segment) => (
          <rect
            key={segment.from}
            x={segment.from}
            y={segment.level + 0.2}
            width={segment.to - segment.from}
            height={0.6}
            data-stage={segment.stage}
          >
            <title>{`${STAGE_TITLES[segment.stage]}, ${formatHour(segment.from)} to ${formatHour(segment.to)}`}</title>
          </rect>
        ))}
      </svg>
      <div className="hypnogram-axis" aria-hidden>
        {ticksOf({ from, to }).map((hour) => (
          <span key={hour} style={{ left: `${((hour - from) / (to - from)) * 100}%` }}>
            {formatHour(hour)}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Returns the facts of a night, in words and units. */
function factsOf({ sleep, hasStages }: Night, units: ShownUnits): [title: string, value: string][] {
  const facts: [string, number | null, (value: number) => string][] = [
    ['Asleep', sleep.total, formatDuration],
    ['In bed', sleep.duration, formatDuration],
    ...STAGES.map((stage): [string, number | null, (value: number) => string] => [
      STAGE_TITLES[stage],
      hasStages ? sleep[stage] : null,
      formatDuration,
    ]),
    ['Efficiency', sleep.efficiency, (value) => `${Math.round(value)} %`],
    ['Sleep latency', sleep.latency, formatDuration],
    ['Score', sleep.score, String],
    ['Lowest heart rate', sleep.hr_lowest, (value) => `${value} bpm`],
    ['Mean heart rate', sleep.hr_average, (value) => `${value} bpm`],
    ['Heart rate variability', sleep.average_hrv, (value) => `${Math.round(value)} ms`],
    ['Respiratory rate', sleep.respiratory_rate, (value) => `${value.toFixed(1)} / min`],
    ['Skin temperature', sleep.skin_temperature, (value) => formatTemperature(value, units)],
    ['Temperature', sleep.temperature_delta, (value) => formatTemperatureDelta(value, units)],
  ]
  return facts.flatMap(([title, value, format]) => (value === null ? [] : [[title, format(value)]]))
}
