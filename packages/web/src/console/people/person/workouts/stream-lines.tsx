import { type PointerEvent, type ReactNode, useState } from 'react'
import type { components } from '../../../api/openapi.generated.d.ts'
import {
  formatDistance,
  formatSpeed,
  formatTemperature,
  type ShownUnits,
  useUnits,
} from '../../../components/units.ts'
import { findNearestValue, pathOf } from './stream-path.ts'

type Stream = components['schemas']['WorkoutStream']
type Channel =
  | 'heartrate'
  | 'velocity_smooth'
  | 'altitude'
  | 'power'
  | 'cadence'
  | 'distance'
  | 'temperature'

type Format = (value: number, units: ShownUnits) => string

const CHANNELS: [channel: Channel, title: string, format: Format][] = [
  ['heartrate', 'Heart rate', (value) => `${Math.round(value)} bpm`],
  ['velocity_smooth', 'Speed', formatSpeed],
  ['altitude', 'Altitude', (value) => `${Math.round(value)} m`],
  ['power', 'Power', (value) => `${Math.round(value)} W`],
  ['cadence', 'Cadence', (value) => `${Math.round(value)} / min`],
  ['distance', 'Distance', formatDistance],
  ['temperature', 'Temperature', formatTemperature],
]

/** Distance since the start: its last value is that of the workout, and its mean is meaningless. */
const CUMULATIVE: Channel = 'distance'

/** Shows the measurements of a workout, one line below the other, with one cursor for all. */
export function StreamLines({ stream }: { stream: Stream }): ReactNode {
  const [at, setAt] = useState<number>()
  const units = useUnits()
  const shown = CHANNELS.filter(([channel]) => stream[channel].some((value) => value !== null)).map(
    ([channel, title, format]) =>
      [channel, title, (value: number) => format(value, units)] as const,
  )
  const [first = 0, last = 0] = [stream.time[0], stream.time.at(-1)]
  if (shown.length === 0 || last <= first) return null
  const follow = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const time = first + ((clientX - left) / width) * (last - first)
    setAt(nearestIndex(stream.time, time))
  }
  const seconds = at === undefined ? undefined : (stream.time[at] ?? first) - first
  return (
    <div className="streams">
      <h4>
        Measurements{' '}
        <span className="quiet">
          {seconds === undefined ? '' : `after ${formatElapsed(seconds)}`}
        </span>
      </h4>
      {shown.map(([channel, title, format]) => (
        <div key={channel} className="stream">
          <span>{title}</span>
          <svg
            viewBox="0 0 1 1"
            preserveAspectRatio="none"
            role="img"
            aria-label={describe(title, stream[channel], format)}
            onPointerMove={follow}
            onPointerLeave={() => setAt(undefined)}
          >
            <path d={pathOf(stream.time, stream[channel])} />
            {seconds !== undefined && (
              <line x1={seconds / (last - first)} x2={seconds / (last - first)} y1={0} y2={1} />
            )}
          </svg>
          <span className="stream-value">{valueAt(stream, channel, at, format)}</span>
        </div>
      ))}
    </div>
  )
}

function describe(
  title: string,
  values: Stream[Channel],
  format: (value: number) => string,
): string {
  const known = values.filter((value) => value !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return `${title}, from ${format(low)} to ${format(high)}`
}

/**
 * Returns the value under the cursor; without a cursor the mean, or the last value of a cumulative
 * channel.
 */
function valueAt(
  stream: Stream,
  channel: Channel,
  at: number | undefined,
  format: (value: number) => string,
): string {
  const values = stream[channel]
  if (at !== undefined) {
    const value = findNearestValue(stream.time, values, at)
    return value === undefined ? '–' : format(value)
  }
  const known = values.filter((value) => value !== null)
  if (channel === CUMULATIVE) return format(Math.max(...known))
  return `mean ${format(known.reduce((sum, value) => sum + value, 0) / known.length)}`
}

function nearestIndex(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) < time) low = middle + 1
    else high = middle
  }
  return low
}

function formatElapsed(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.round(seconds % 60)]
  return `${minutes}:${String(rest).padStart(2, '0')}`
}
