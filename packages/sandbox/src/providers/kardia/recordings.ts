import { DAY_MS } from '@salus/contracts/time-units'
import { type Recording, recordingOn, voltagesOf } from '../people/body.ts'
import type { Calendar, Span } from '../people/days.ts'
import { localText } from '../people/local-time.ts'
import { deriveSeed, uuidAt } from '../people/noise.ts'

/** Recordings of Kardia, each a function of the person and the day. */

export type Fields = Record<string, unknown>

const HERTZ = 300
const SECONDS = 30
/** Nanovolts of one count. */
const RESOLUTION = 500
const COUNTS_A_MICROVOLT = 1000 / RESOLUTION
/** There are no recordings older than this many days. */
const PAST_DAYS = 400

export const patientIdOf = ({ person }: Calendar): string =>
  uuidAt(deriveSeed(person.seed, 981), 0).replaceAll('-', '')

/** The id has the day, so that one recording is found by it. */
const recordingId = ({ person }: Calendar, day: number): string =>
  `${uuidAt(deriveSeed(person.seed, 980), day).slice(0, 13).replaceAll('-', '')}x${day.toString(36)}`

export function dayOfRecording(id: string): number | undefined {
  const [, day] = /^[0-9a-f]{12}x([0-9a-z]+)$/.exec(id) ?? []
  return day === undefined ? undefined : Number.parseInt(day, 36)
}

/** Every eighth recording cannot be read. */
const isUnreadable = (day: number): boolean => day % 16 === 0

function findingOf({ beats, hasFibrillation }: Recording, day: number): string {
  if (isUnreadable(day)) return 'unreadable'
  if (hasFibrillation) return 'afib'
  if (beats < 50) return 'bradycardia'
  return beats > 100 ? 'tachycardia' : 'normal'
}

/** Returns a recording without its voltages; undefined on days without one. */
export function recordingAt(calendar: Calendar, day: number, now: number): Fields | undefined {
  const recording = recordingOn(calendar, day)
  if (recording === undefined || recording.at > now) return undefined
  const { at, beats } = recording
  return {
    id: recordingId(calendar, day),
    patientID: patientIdOf(calendar),
    duration: SECONDS * 1000,
    heartRate: isUnreadable(day) ? 0 : beats,
    algorithmDetermination: findingOf(recording, day),
    note: '',
    tags: [],
    recordedAt: localText(at, calendar.offsetAt(at)).replace('.000', ''),
    deviceInfo: {
      hardwareType: hasSixLeads(calendar) ? 'kardia_6l' : 'kardia_mobile',
      firmwareRevision: '1.3.4',
      serialNumber: `2004${calendar.person.seed % 10_000}K`,
    },
  }
}

const hasSixLeads = ({ person }: Calendar): boolean => person.seed % 2 === 0

/** Adds the voltages of a recording: those of one lead or of six, of which four are computed. */
export function withVoltages(calendar: Calendar, day: number, record: Fields): Fields {
  const recording = recordingOn(calendar, day) as Recording
  const one = voltagesOf(recording, HERTZ, SECONDS).map((value) => value * COUNTS_A_MICROVOLT)
  const two = one.map((count) => Math.round(count * 1.25))
  const both = (make: (first: number, second: number) => number): number[] =>
    one.map((count, index) => Math.round(make(count, two[index] ?? 0)))
  const samples = hasSixLeads(calendar)
    ? {
        leadI: one,
        leadII: two,
        leadIII: both((first, second) => second - first),
        AVR: both((first, second) => -(first + second) / 2),
        AVL: both((first, second) => first - second / 2),
        AVF: both((first, second) => second - first / 2),
      }
    : { leadI: one }
  const block = {
    frequency: HERTZ,
    mainsFrequency: 60,
    amplitudeResolution: RESOLUTION,
    numLeads: Object.keys(samples).length,
  }
  const smooth = Object.entries(samples as Record<string, number[]>).map(([name, counts]) => [
    name,
    counts.map((count) => Math.round(count * 0.9)),
  ])
  const enhanced = { ...block, samples: Object.fromEntries(smooth) }
  return { ...record, data: { raw: { ...block, samples }, enhanced } }
}

/** Returns the recordings of a span, the newest first, with their days. */
export function recordingsIn(
  calendar: Calendar,
  span: Span,
  now: number,
): { day: number; record: Fields }[] {
  const from = Math.max(span.from, now - PAST_DAYS * DAY_MS)
  const days = from < span.to ? calendar.days({ from, to: Math.min(span.to, now + 1) }) : []
  return days
    .flatMap(({ number: day }) => {
      const record = recordingAt(calendar, day, now)
      return record === undefined ? [] : [{ day, record }]
    })
    .filter(({ record }) => {
      const at = Date.parse(String(record.recordedAt))
      return at >= from && at < span.to
    })
    .reverse()
}
