import type { VendorInstant, WorkoutPoint } from '../../../connectors/index.ts'
import { entriesOf, type Fields, fieldsOf } from './polar-fields.ts'

type Values = WorkoutPoint['values']
type Channel = keyof Values
/** Returns the instant of a local time of the training. */
type At = (text: unknown) => VendorInstant | undefined

/** Letters of a type of samples, with the divisor to its unit; speeds are in km/h. */
const CHANNELS = new Map<string, readonly [channel: Channel, divisor: number]>([
  ['heartrate', ['heartrate', 1]],
  ['speed', ['velocity_smooth', 3.6]],
  ['cadence', ['cadence', 1]],
  ['altitude', ['altitude', 1]],
  ['distance', ['distance', 1]],
  ['temperature', ['temperature', 1]],
  ['power', ['power', 1]],
])

const channelOf = (type: unknown) =>
  CHANNELS.get(typeof type === 'string' ? type.toLowerCase().replace(/[^a-z]/g, '') : '')

/** Two days; no training lasts longer. */
const MOST_SECONDS = 172_800

/** Collects values by second. */
class Points {
  readonly #bySecond = new Map<number, Values>()
  readonly #from: number

  constructor(startedAt: number) {
    this.#from = startedAt / 1000
  }

  set(milliseconds: number, channel: Channel, value: unknown): void {
    const second = Math.floor(milliseconds / 1000)
    // Before the start are clocks of sensors that were not set.
    const isWithin = second >= this.#from - MOST_SECONDS && second <= this.#from + MOST_SECONDS
    if (!isWithin || typeof value !== 'number' || !Number.isFinite(value)) return
    const values = this.#bySecond.get(second) ?? {}
    this.#bySecond.set(second, values)
    values[channel] = value
  }

  toList(): WorkoutPoint[] {
    return [...this.#bySecond].map(([second, values]) => ({ second, values }))
  }
}

/**
 * Returns what a training and its exercises recorded: lists of times and values, values in equal
 * intervals from the start of their exercise, and places in either generation.
 */
export function pointsOf(parts: readonly Fields[], start: VendorInstant, at: At): WorkoutPoint[] {
  const points = new Points(start.at)
  for (const part of parts) {
    const samples = fieldsOf(part.samples) ?? {}
    const from = at(part.startTime) ?? start
    for (const [name, list] of Object.entries(samples)) {
      if (name === 'recordedRoute') addPositions(points, list, at)
      else if (name === 'samples') addIntervals(points, list, from)
      else addTimed(points, name, list, at)
    }
    const route = fieldsOf(fieldsOf(part.routes)?.route)
    if (route !== undefined) addWayPoints(points, route, at(route.startTime) ?? from)
  }
  return points.toList()
}

function addTimed(points: Points, name: string, list: unknown, at: At): void {
  const [channel, divisor = 1] = channelOf(name) ?? []
  if (channel === undefined) return
  for (const { dateTime, value } of entriesOf(list)) {
    const instant = at(dateTime)
    const isNumber = typeof value === 'number'
    if (instant !== undefined) points.set(instant.at, channel, isNumber ? value / divisor : value)
  }
}

function addIntervals(points: Points, list: unknown, from: VendorInstant): void {
  for (const { type, intervalMillis, values } of entriesOf(list)) {
    const [channel, divisor = 1] = channelOf(type) ?? []
    const isRegular = typeof intervalMillis === 'number' && intervalMillis > 0
    if (channel === undefined || !isRegular || !Array.isArray(values)) continue
    for (const [index, value] of values.entries()) {
      // A slot without a measurement is null or the text NaN.
      if (typeof value !== 'number') continue
      points.set(from.at + index * intervalMillis, channel, value / divisor)
    }
  }
}

function addPositions(points: Points, list: unknown, at: At): void {
  for (const position of entriesOf(list)) {
    const instant = at(position.dateTime)
    if (instant !== undefined) addPosition(points, instant.at, position)
  }
}

function addWayPoints(points: Points, route: Fields, from: VendorInstant): void {
  for (const position of entriesOf(route.wayPoints)) {
    if (typeof position.elapsedMillis === 'number') {
      addPosition(points, from.at + position.elapsedMillis, position)
    }
  }
}

function addPosition(points: Points, milliseconds: number, position: Fields): void {
  points.set(milliseconds, 'lat', position.latitude)
  points.set(milliseconds, 'lng', position.longitude)
  points.set(milliseconds, 'altitude', position.altitude)
}
