import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar } from './days.ts'
import { glucoseAt } from './glucose.ts'
import { nightSignsOn } from './heart.ts'
import { betweenAt, deriveSeed, isAt, normalAt } from './noise.ts'

/** What people measure of themselves at home, in the units of Salus. */

export interface Weighing {
  readonly at: number
  readonly kilograms: number
  readonly fatPercent: number
  readonly leanKilograms: number
  readonly muscleKilograms: number
  readonly waterKilograms: number
  readonly boneKilograms: number
  readonly visceralIndex: number
}

export interface Pressure {
  readonly at: number
  /** mmHg */
  readonly systolic: number
  readonly diastolic: number
  readonly beats: number
}

export interface Reading {
  readonly at: number
  readonly value: number
}

export interface Recording {
  readonly at: number
  readonly beats: number
  readonly hasFibrillation: boolean
}

const USE = { weighing: 600, fat: 601, pressure: 602, temperature: 603, recording: 604, strip: 605 }

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** Returns an instant after getting up, in whole minutes. */
function morningAt(calendar: Calendar, number: number, use: number, hours: number): number {
  const [least, most] = [hours * 60, hours * 60 + 25]
  const minutes = betweenAt(deriveSeed(calendar.person.seed, use), number, least, most)
  return calendar.day(number).night.to + Math.round(minutes) * MINUTE_MS
}

/** Returns the weighing of a morning; there is none on some days. */
export function weighingOn(calendar: Calendar, number: number): Weighing | undefined {
  const { seed, weightKilograms, sex, age } = calendar.person
  const use = deriveSeed(seed, USE.weighing)
  if (isAt(use, number, 0.25)) return undefined
  const sway = 0.6 * Math.sin((number + (seed % 97)) / 6) + 0.15 * normalAt(use, number)
  const kilograms = rounded(weightKilograms + sway, 2)
  const usualFat = (sex === 'female' ? 27 : 19) + (age - 40) / 8
  const fatPercent = rounded(usualFat + 0.5 * normalAt(deriveSeed(seed, USE.fat), number), 2)
  const leanKilograms = rounded(kilograms * (1 - fatPercent / 100), 3)
  return {
    at: morningAt(calendar, number, USE.weighing, 0.2),
    kilograms,
    fatPercent,
    leanKilograms,
    muscleKilograms: rounded(leanKilograms * 0.95, 3),
    waterKilograms: rounded(leanKilograms * 0.73, 3),
    boneKilograms: rounded(leanKilograms * 0.05, 3),
    visceralIndex: rounded(2 + fatPercent / 10, 1),
  }
}

/** Returns the blood pressures of a day: most mornings have one. */
export function pressuresOn(calendar: Calendar, number: number): Pressure[] {
  const { seed, age, restingHeartRate } = calendar.person
  const use = deriveSeed(seed, USE.pressure)
  if (isAt(use, number, 0.3)) return []
  const systolic = Math.round(112 + age / 3 + 6 * normalAt(use, number))
  const diastolic = Math.round(systolic * 0.64 + 2 * normalAt(deriveSeed(use, 1), number))
  const beats = Math.round(restingHeartRate + 8 + 3 * normalAt(deriveSeed(use, 2), number))
  return [{ at: morningAt(calendar, number, USE.pressure, 0.7), systolic, diastolic, beats }]
}

/** Returns the temperature of a day on which they took it: when ill, and now and then. */
export function temperatureOn(calendar: Calendar, number: number): Reading | undefined {
  const { illness } = calendar.day(number)
  const { seed } = calendar.person
  if (illness < 0.2 && (number + seed) % 4 !== 0) return undefined
  const { temperatureDeviation } = nightSignsOn(calendar, number)
  const value = rounded(36.6 + temperatureDeviation, 2)
  return { at: morningAt(calendar, number, USE.temperature, 1.2), value }
}

/** Returns the oxygen of the blood that they measured on a morning, in whole percent. */
export function oxygenOn(calendar: Calendar, number: number): Reading | undefined {
  if ((number + calendar.person.seed) % 3 !== 0) return undefined
  const { oxygen } = nightSignsOn(calendar, number)
  return { at: morningAt(calendar, number, USE.temperature, 1.7), value: Math.round(oxygen) }
}

/** Returns the electrocardiogram of a day; one in three has fibrillation. */
export function recordingOn(calendar: Calendar, number: number): Recording | undefined {
  const { seed, restingHeartRate } = calendar.person
  const position = number + (seed % 6)
  if (position % 2 !== 0) return undefined
  return {
    at: morningAt(calendar, number, USE.recording, 2.2),
    beats: Math.round(restingHeartRate + 12 + 4 * normalAt(deriveSeed(seed, 1), number)),
    hasFibrillation: position % 6 === 0,
  }
}

/** Returns the voltages of a recording in whole microvolts: a sharp peak for each beat. */
export function voltagesOf({ beats, at }: Recording, hertz: number, seconds: number): number[] {
  const beat = (60 / beats) * hertz
  return Array.from({ length: hertz * seconds }, (_, position) => {
    const phase = (position % beat) / beat
    const peak = phase < 0.05 ? 900 * Math.sin((phase / 0.05) * Math.PI) : 0
    return Math.round(peak + 60 * Math.sin(2 * Math.PI * phase) + ((at / 1000 + position) % 7) - 3)
  })
}

/** Returns the glucose of strips of a day, in whole mg/dL: before the first and the last meal. */
export function stripsOn(calendar: Calendar, number: number): Reading[] {
  const evening = calendar.day(number).night.to + 11 * HOUR_MS
  return [morningAt(calendar, number, USE.strip, 0.4), evening].map((at) => ({
    at,
    value: Math.round(glucoseAt(calendar, at)),
  }))
}
