import {
  polarDurationMs,
  polarSportOf,
  readLocalInstant,
  recordingOf,
  type VendorInstant,
} from '../../../connectors/index.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { readJsonFile } from '../../files/json.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'
import {
  entriesOf,
  type Fields,
  fieldsOf,
  firstOf,
  isoText,
  offsetOfMinutes,
} from './polar-fields.ts'
import { pointsOf } from './training-points.ts'

/**
 * Trainings have other ids than those of a connection
 * (docs/decisions/0090-exports-of-watches-and-phones.md).
 */
const APP = 'polar_flow_export'
/** Numbers of sports that the vendor publishes. */
const SPORTS: Readonly<Record<string, string>> = { 1: 'RUNNING', 2: 'CYCLING' }

/** Reads trainings: a file each, of either generation. */
export async function importTrainings(
  files: readonly ImportFile[],
  context: ImportContext,
  out: ImportWriter,
): Promise<void> {
  const data = out.type('training session', 'workouts')
  for (const file of files) {
    const session = await readJsonFile(file)
    data.count()
    const fields = fieldsOf(session)
    if (fields === undefined) data.quarantine('workouts', 'not_an_object', session)
    else addTraining(data, fields, context)
    await out.settle()
  }
}

function addTraining(data: TypeData, session: Fields, context: ImportContext): void {
  const exercises = entriesOf(session.exercises)
  const [first = {}] = exercises
  const minutes = firstOf(session, OFFSETS) ?? firstOf(first, OFFSETS)
  const offset = offsetOfMinutes(minutes)
  const startText = session.startTime ?? first.startTime
  const milliseconds = durationOf(session) ?? Number.NaN
  const heart = fieldsOf(session.heartRate) ?? fieldsOf(first.heartRate) ?? {}
  const raw = {
    ...{ startTime: startText, stopTime: session.stopTime, timezoneOffsetMinutes: minutes },
    ...{ durationMillis: Number.isNaN(milliseconds) ? undefined : milliseconds },
    distanceMeters: firstOf(session, ['distanceMeters', 'distance']),
    calories: firstOf(session, ['calories', 'kiloCalories']),
    hrAvg: firstOf(session, ['hrAvg', 'averageHeartRate']) ?? firstOf(heart, ['avg']),
    hrMax: firstOf(session, ['hrMax', 'maximumHeartRate']) ?? firstOf(heart, ['max']),
    ascent: firstOf(session, ['ascent']) ?? firstOf(first, ['ascent']),
    sport: sportIn(session) ?? sportIn(first),
  }
  const at = (text: unknown) => instantOf(text, offset, context)
  const start = offset === undefined ? undefined : at(startText)
  if (start === undefined) {
    data.quarantine('workouts', offset === undefined ? 'invalid_field' : 'invalid_start_date', raw)
    return
  }
  const end = endOf(start, at(session.stopTime), milliseconds)
  const reader = data.read('workouts', raw)
  if (reader === undefined) return
  const values = {
    duration_active_second: Number.isNaN(milliseconds) ? null : Math.round(milliseconds / 1000),
    distance_meter: reader.number('distanceMeters'),
    calories: reader.number('calories'),
    heart_rate_mean: reader.heartRate('hrAvg'),
    heart_rate_maximum: reader.heartRate('hrMax'),
    elevation_gain_meter: reader.number('ascent'),
  }
  if (!data.isValid('workouts', reader, raw)) return
  const points = pointsOf([session, ...exercises], start, at)
  const recording = points.length === 0 ? undefined : recordingOf(data, points)
  const added = data.addWorkout({
    ...{ recordId: idOf(session) ?? String(startText), appId: APP, sourceType: 'watch' },
    ...{ start, end, raw, values: { ...values, ...recording?.route } },
    sport: polarSportOf(SPORTS[String(raw.sport)], raw.sport),
    ...(recording && { heartRates: recording.heartRates }),
  })
  if (added === undefined || recording === undefined) return
  data.addStream(added.id, recording.stream)
  for (const { startedAt, value } of recording.heartRates) {
    const point = { at: startedAt, offset: start.offset }
    data.addSample('heartrate', { start: point, sourceType: 'watch', value, unit: 'bpm' })
  }
}

const OFFSETS = ['timezoneOffsetMinutes', 'timezoneOffset', 'timeZoneOffset']

/**
 * Returns the instant of a local time: by the offset of the training, else in the zone of the
 * options.
 */
function instantOf(
  text: unknown,
  offset: number | null | undefined,
  { clock }: ImportContext,
): VendorInstant | undefined {
  if (typeof text !== 'string' || offset === undefined) return undefined
  return offset === null ? clock.local(isoText(text)) : readLocalInstant(isoText(text), offset)
}

/** @returns milliseconds; undefined where neither generation of fields is there */
function durationOf({ durationMillis, duration }: Fields): number | undefined {
  if (typeof durationMillis === 'number') return durationMillis
  const milliseconds = polarDurationMs(duration)
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}

/** Returns the end, or the start and the duration where it is unknown or a wrong clock. */
function endOf(
  start: VendorInstant,
  stop: VendorInstant | undefined,
  milliseconds: number,
): VendorInstant {
  if (stop !== undefined && stop.at >= start.at) return stop
  return Number.isNaN(milliseconds) ? (stop ?? start) : { ...start, at: start.at + milliseconds }
}

function sportIn({ sport }: Fields): string | undefined {
  const name = fieldsOf(sport)?.id ?? sport
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined
}

function idOf({ identifier }: Fields): string | undefined {
  const id = fieldsOf(identifier)?.id
  return typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : undefined
}
