import { parseInstant } from '@salus/kernel/time/instants'
import type { WorkoutPoint } from '../workout-points.ts'

type Channel = keyof WorkoutPoint['values']

/** Elements of a trackpoint, the first known one counts, and their channels. */
const ELEMENTS: readonly (readonly [element: string, channel: Channel, factor?: number])[] = [
  ['LatitudeDegrees', 'lat'],
  ['LongitudeDegrees', 'lng'],
  ['AltitudeMeters', 'altitude'],
  ['DistanceMeters', 'distance'],
  ['HeartRateBpm', 'heartrate'],
  ['Cadence', 'cadence'],
  // Extensions have the speed, the power, and for runs the strides, of two steps each.
  ['RunCadence', 'cadence', 2],
  ['Speed', 'velocity_smooth'],
  ['Watts', 'power'],
]
/** A heart rate has its number in an element of its own. */
const NUMBER = /^\s*(?:<(?:\w+:)?Value>)?\s*(-?[\d.]+(?:[eE][+-]?\d+)?)\s*</

function numberIn(xml: string, element: string): number | undefined {
  const open = new RegExp(`<(?:\\w+:)?${element}(?:\\s[^>]*)?>`).exec(xml)
  const text = open && NUMBER.exec(xml.slice(open.index + open[0].length))?.[1]
  return text ? Number(text) : undefined
}

function pointOf(xml: string): WorkoutPoint | undefined {
  const time = /<(?:\w+:)?Time>\s*([^<\s]+)\s*</.exec(xml)?.[1] ?? ''
  const at = parseInstant(time)?.epochMilliseconds
  if (at === undefined) return undefined
  const values: WorkoutPoint['values'] = {}
  for (const [element, channel, factor = 1] of ELEMENTS) {
    const value = numberIn(xml, element)
    values[channel] ??= value && value * factor
  }
  return { second: Math.floor(at / 1000), values }
}

/** Parses the trackpoints of a Training Center file; those without a time are left out. */
export function readTrack(xml: string): WorkoutPoint[] {
  return xml
    .split(/<(?:\w+:)?Trackpoint(?:\s[^>]*)?>/)
    .slice(1)
    .flatMap((rest) => pointOf(rest.split('</Trackpoint>')[0] ?? '') ?? [])
}
