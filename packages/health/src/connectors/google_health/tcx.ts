import { parseInstant } from '@salus/kernel/time/instants'

/** A point of a track; unknown values are null. */
export interface TrackPoint {
  /** Unix seconds. */
  second: number
  lat: number | null
  lng: number | null
  altitude: number | null
  distance: number | null
  heartrate: number | null
  cadence: number | null
  velocity_smooth: number | null
  power: number | null
}

/** Elements of a trackpoint by channel, with the range of sound values. */
const ELEMENTS: Readonly<Record<string, readonly [element: string, least: number, most: number]>> =
  {
    lat: ['LatitudeDegrees', -90, 90],
    lng: ['LongitudeDegrees', -180, 180],
    altitude: ['AltitudeMeters', -1000, 10_000],
    distance: ['DistanceMeters', 0, 10_000_000],
    heartrate: ['HeartRateBpm', 10, 350],
    cadence: ['Cadence', 0, 500],
    velocity_smooth: ['Speed', 0, 200],
    power: ['Watts', 0, 5000],
  }

/** Returns the text of the first element of a name, without the elements around the text. */
function numberIn(xml: string, element: string): string | undefined {
  const open = new RegExp(`<(?:\\w+:)?${element}(?:\\s[^>]*)?>`).exec(xml)
  if (open === null) return undefined
  const rest = xml.slice(open.index + open[0].length)
  // A heart rate has its number in an element of its own.
  return /^\s*(?:<(?:\w+:)?Value>)?\s*(-?[\d.]+(?:[eE][+-]?\d+)?)\s*</.exec(rest)?.[1]
}

function pointOf(xml: string): TrackPoint | undefined {
  const time = /<(?:\w+:)?Time>\s*([^<\s]+)\s*</.exec(xml)?.[1] ?? ''
  const at = parseInstant(time)?.epochMilliseconds
  if (at === undefined) return undefined
  const channels = Object.entries(ELEMENTS).map(([channel, [element, least, most]]) => {
    // Runs have their cadence in an extension, as strides.
    const text =
      numberIn(xml, element) ?? (channel === 'cadence' ? numberIn(xml, 'RunCadence') : '')
    const value = text ? Number(text) : Number.NaN
    return [channel, value >= least && value <= most ? value : null] as const
  })
  return { second: Math.round(at / 1000), ...Object.fromEntries(channels) } as TrackPoint
}

/** Parses the trackpoints of a Training Center file; those without a time are left out. */
export function readTrack(xml: string): TrackPoint[] {
  return xml
    .split(/<(?:\w+:)?Trackpoint(?:\s[^>]*)?>/)
    .slice(1)
    .flatMap((rest) => pointOf(rest.split('</Trackpoint>')[0] ?? '') ?? [])
}
