import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { localDayOf, midnightOf, offsetAt, weekdayOf } from './local-time.ts'
import { betweenAt, deriveSeed, isAt, normalAt, pickAt, unitAt } from './noise.ts'
import { type Person, type Sport, ZONES } from './person.ts'

/** Epoch milliseconds; `to` is exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface Exercise extends Span {
  readonly sport: Sport
  /** Intensity of this one, compared with others of its sport; about 1. */
  readonly effort: number
}

/**
 * One local day of a person, from midnight to midnight; on a day of travel that is not 24 hours.
 */
export interface Day extends Span {
  /** Days since 1970-01-01. */
  readonly number: number
  /** Time zone in which they wake up. */
  readonly zone: string
  /** From 0, well, to 1. */
  readonly illness: number
  /** Without exercise and other activities for which there is no time. */
  readonly isTravelling: boolean
  /** The night that ends on this day. */
  readonly night: Span
  readonly nap: Span | undefined
  readonly exercises: readonly Exercise[]
  /** Times at which a device is not worn: charging, or in a drawer. */
  readonly unworn: readonly Span[]
}

const USE = {
  trip: 100,
  illness: 101,
  night: 102,
  nap: 103,
  exercise: 104,
  sport: 105,
  drawer: 106,
  charging: 107,
}

/** An episode that may happen once in a number of days, and is within them. */
interface Episode {
  readonly from: number
  readonly to: number
  readonly block: number
}

function episodeOf(
  seed: number,
  day: number,
  { every, chance, least, most }: { every: number; chance: number; least: number; most: number },
): Episode | undefined {
  const block = Math.floor(day / every)
  if (!isAt(seed, block, chance)) return undefined
  const length = Math.round(betweenAt(deriveSeed(seed, 1), block, least, most))
  const from =
    block * every + 2 + Math.floor(unitAt(deriveSeed(seed, 2), block) * (every - length - 4))
  return { from, to: from + length, block }
}

/** Zones within eight hours of another one. */
function destinationsOf(home: string, at: number): readonly string[] {
  const near = (zone: string) => Math.abs(offsetAt(zone, at) - offsetAt(home, at)) <= 8 * HOUR_MS
  const others = ZONES.filter((zone) => zone !== home && near(zone))
  return others.filter((zone) => offsetAt(zone, at) !== offsetAt(home, at))
}

/** Returns the zone in which a person wakes up on a day. */
export function zoneOn({ seed, homeZone, traits }: Person, day: number): string {
  const chance = traits.has('travel') ? 1 : 0.4
  const use = deriveSeed(seed, USE.trip)
  const trip = episodeOf(use, day, { every: 60, chance, least: 4, most: 14 })
  // They leave on the first day, and wake up elsewhere from the second on.
  if (trip === undefined || day <= trip.from || day > trip.to) return homeZone
  const choices = destinationsOf(homeZone, trip.from * 24 * HOUR_MS)
  return choices.length === 0 ? homeZone : pickAt(deriveSeed(use, 3), trip.block, choices)
}

function illnessOn({ seed }: Person, day: number): number {
  const use = deriveSeed(seed, USE.illness)
  const episode = episodeOf(use, day, { every: 50, chance: 0.45, least: 3, most: 8 })
  if (episode === undefined || day < episode.from || day >= episode.to) return 0
  const part = (day - episode.from + 0.5) / (episode.to - episode.from)
  return Math.sin(Math.PI * part) * betweenAt(deriveSeed(use, 4), episode.block, 0.5, 1)
}

/** So that no nap begins before getting up. */
const LATEST_WAKE_HOUR = 11.5

/** A night before other events are considered. */
function usualNight(person: Person, day: number, midnight: number): Span {
  const seed = deriveSeed(person.seed, USE.night)
  const isFree = weekdayOf(day) >= 5
  const illness = illnessOn(person, day)
  const bedHour =
    person.bedHour - 24 + (isFree ? person.weekendShift : 0) + 0.4 * normalAt(seed, day) - illness
  const hours =
    person.sleepHours +
    (isFree ? 0.5 : 0) +
    0.55 * normalAt(deriveSeed(seed, 1), day) +
    1.2 * illness
  const from = midnight + Math.round(bedHour * 120) * 30_000
  const slots = Math.round(Math.min(Math.max(hours, 4), LATEST_WAKE_HOUR - bedHour) * 12)
  return { from, to: from + slots * 5 * MINUTE_MS }
}

/** A device that is in a drawer stays there from one morning to another. */
function drawerOn({ seed, traits }: Person, day: number): boolean {
  const chance = traits.has('gaps') ? 1 : 0.35
  const use = deriveSeed(seed, USE.drawer)
  const episode = episodeOf(use, day, { every: 30, chance, least: 1, most: 4 })
  return episode !== undefined && day >= episode.from && day < episode.to
}

function unwornOn(person: Person, day: number, span: Span, night: Span): readonly Span[] {
  const morning = span.from + 11.5 * HOUR_MS
  const before = drawerOn(person, day - 1)
  const after = drawerOn(person, day)
  if (before && after) return [span]
  if (before) return [{ from: span.from, to: morning }]
  if (after) return [{ from: morning, to: span.to }]
  const seed = deriveSeed(person.seed, USE.charging)
  // In the bathroom, after getting up.
  const from = night.to + Math.round(betweenAt(seed, day, 20, 60)) * MINUTE_MS
  const length = Math.round(betweenAt(deriveSeed(seed, 1), day, 20, 55)) * MINUTE_MS
  return [{ from, to: from + length }]
}

function exercisesOn(person: Person, day: number, midnight: number): readonly Exercise[] {
  const seed = deriveSeed(person.seed, USE.exercise)
  const isPlanned = person.exerciseDays.has(weekdayOf(day))
  const illness = illnessOn(person, day)
  if (illness > 0.2 || !isAt(seed, day, isPlanned ? 0.85 : 0.06)) return []
  const sport = pickAt(deriveSeed(person.seed, USE.sport), day, person.sports)
  const hour = person.exerciseHour + 0.4 * normalAt(deriveSeed(seed, 1), day)
  const from = midnight + Math.round(hour * 60) * MINUTE_MS
  const minutes = Math.round(betweenAt(deriveSeed(seed, 2), day, 24, 78))
  const effort = 1 + 0.08 * normalAt(deriveSeed(seed, 3), day)
  return [{ from, to: from + minutes * MINUTE_MS, sport, effort }]
}

function napOn(person: Person, day: number, midnight: number, illness: number): Span | undefined {
  const seed = deriveSeed(person.seed, USE.nap)
  if (!isAt(seed, day, person.napChance + 0.5 * illness)) return undefined
  const from =
    midnight + Math.round(betweenAt(deriveSeed(seed, 1), day, 13.2, 14.8) * 60) * MINUTE_MS
  const slots = Math.round(betweenAt(deriveSeed(seed, 2), day, 5, 17))
  return { from, to: from + slots * 5 * MINUTE_MS }
}

/** @param number Days since 1970-01-01. */
export function makeDay(person: Person, number: number): Day {
  const zone = zoneOn(person, number)
  const from = midnightOf(zone, number)
  const nextZone = zoneOn(person, number + 1)
  const span = { from, to: midnightOf(nextZone, number + 1) }
  const usual = usualNight(person, number, from)
  const previousZone = zoneOn(person, number - 1)
  const isAfterTravel = previousZone !== zone
  const lastWoke = isAfterTravel
    ? usualNight(person, number - 1, midnightOf(previousZone, number - 1)).to
    : Number.NEGATIVE_INFINITY
  // After a flight to the east the day was short.
  const night = { from: Math.max(usual.from, lastWoke + 4 * HOUR_MS), to: usual.to }
  const illness = illnessOn(person, number)
  const isTravelling = nextZone !== zone
  const isUp = (exercise: Span): boolean => exercise.from >= night.to + HOUR_MS / 2
  const exercises = isTravelling ? [] : exercisesOn(person, number, from).filter(isUp)
  const nap = isTravelling ? undefined : napOn(person, number, from, illness)
  const isFree =
    nap !== undefined && exercises.every(({ from, to }) => to <= nap.from || from >= nap.to)
  return {
    number,
    zone,
    ...span,
    illness,
    isTravelling,
    night,
    nap: isFree ? nap : undefined,
    exercises,
    unworn: unwornOn(person, number, span, night),
  }
}

/** Number of days of a person that are cached: enough for a page. */
const MOST_DAYS = 64

/** The days of a person, cached for a while. */
export class Calendar {
  readonly person: Person
  readonly #days = new Map<number, Day>()

  constructor(person: Person) {
    this.person = person
  }

  day(number: number): Day {
    let day = this.#days.get(number)
    if (day === undefined) {
      if (this.#days.size >= MOST_DAYS) this.#days.clear()
      day = makeDay(this.person, number)
      this.#days.set(number, day)
    }
    return day
  }

  /** Returns the day of an instant. */
  dayAt(at: number): Day {
    let day = this.day(localDayOf(this.person.homeZone, at))
    while (at < day.from) day = this.day(day.number - 1)
    while (at >= day.to) day = this.day(day.number + 1)
    return day
  }

  /** Returns all days that a span overlaps. */
  days({ from, to }: Span): Day[] {
    const days: Day[] = []
    for (let day = this.dayAt(from); day.from < to; day = this.day(day.number + 1)) days.push(day)
    return days
  }

  /** Returns the zone of a person: a traveler arrives some time before going to bed. */
  zoneAt(at: number): string {
    const day = this.dayAt(at)
    if (!day.isTravelling) return day.zone
    const next = this.day(day.number + 1)
    return at < arrivalOf(day, next) ? day.zone : next.zone
  }

  /** Returns the offset of local time from UTC, in milliseconds. */
  offsetAt(at: number): number {
    return offsetAt(this.zoneAt(at), at)
  }
}

const arrivalOf = (day: Day, next: Day): number =>
  Math.max(day.night.to + 2 * HOUR_MS, next.night.from - 2 * HOUR_MS)
