import { withoutNulls } from '../../../connectors/index.ts'
import { isFields } from '../../../summaries/index.ts'
import { readJsonItems } from '../../files/json.ts'
import type { TypeData } from '../../running/type-data.ts'
import { addActivity, type RecordedActivity } from '../activity-file/recorded-activity.ts'
import type { GarminMember } from './garmin-members.ts'
import { type Fields, offsetBetween, pickFields, readGmt } from './garmin-values.ts'

const CENTIMETERS = 100
const MOST_MS = 31 * 86_400_000
/** Starts of a summary and of the file of one activity differ by this much at most. */
const NEAR_SECONDS = 2
const KILOJOULES = 4.184
/** Two values that differ by less are the same in the same unit. */
const NEAR = 0.03

const KEPT = [
  'activityId',
  'activityType',
  'sportType',
  'startTimeGmt',
  'beginTimestamp',
  'startTimeLocal',
  'duration',
  'elapsedDuration',
  'movingDuration',
  'distance',
  'elevationGain',
  'minElevation',
  'maxElevation',
  'avgSpeed',
  'maxSpeed',
  'avgHr',
  'maxHr',
  'avgPower',
  'maxPower',
  'normPower',
  'steps',
  'calories',
]

interface Summary {
  id: string
  title: string | null
  start: number
  offset: number | null
  end: number
  record: Fields
}

/** Summaries of activities, which files of activities complete. */
export class GarminActivities {
  readonly #byStart = new Map<number, Summary[]>()
  readonly #data: TypeData
  readonly #now: Date
  /** Seconds of the starts of activities whose file was read. */
  readonly #recorded = new Set<number>()
  /** How often the calories of a summary were those of its file, in kcal or in kJ. */
  readonly #votes = { kcal: 0, kilojoules: 0 }

  constructor(data: TypeData, now: Date) {
    this.#data = data
    this.#now = now
  }

  async read({ file }: GarminMember): Promise<void> {
    for await (const items of readJsonItems(file, '$.*.summarizedActivitiesExport.*')) {
      for (const item of items) this.#add(item)
    }
  }

  #add(item: unknown): void {
    const data = this.#data
    const record: Fields = isFields(item) ? pickFields(item, KEPT) : {}
    const { activityId: id, startTimeLocal: local } = record
    const start = readGmt(record.startTimeGmt ?? record.beginTimestamp)
    const length = record.elapsedDuration ?? record.duration
    const refuse = (reason: 'invalid_field' | 'invalid_start_date' | 'invalid_end_date') => {
      data.count()
      data.quarantine('workouts', reason, record)
    }
    // Of an activity of several sports the parts are read, not the whole.
    const children = isFields(item) ? item.childIds : undefined
    if (Array.isArray(children) && children.length > 0) data.countMerged()
    else if (typeof id !== 'number' && typeof id !== 'string') refuse('invalid_field')
    else if (start === undefined) refuse('invalid_start_date')
    else if (typeof length !== 'number' || !(length >= 0 && length <= MOST_MS)) {
      refuse('invalid_end_date')
    } else {
      const second = Math.floor(start / 1000)
      const list = this.#byStart.get(second) ?? []
      const name = isFields(item) ? item.name : undefined
      const known = list.findIndex((summary) => summary.id === String(id))
      // The same activity in another file of the export.
      if (known >= 0) {
        list.splice(known, 1)
        data.countMerged()
      }
      list.push({
        id: String(id),
        title: typeof name === 'string' && name !== '' ? name.toWellFormed() : null,
        start,
        offset: offsetBetween(local, start),
        end: start + length,
        record,
      })
      this.#byStart.set(second, list)
    }
  }

  /**
   * Adds an activity of a file, with its summary if there is one. Another file of the same activity
   * adds nothing: pass FIT files first, which have the most.
   */
  addRecorded(activity: RecordedActivity): void {
    const summary = this.#take(activity.start.at)
    const second = Math.floor(activity.start.at / 1000)
    if (summary === undefined && nearSeconds(second).some((near) => this.#recorded.has(near))) {
      this.#data.countMerged()
      return
    }
    this.#recorded.add(second)
    if (summary === undefined) {
      this.#data.count()
      addActivity(this.#data, activity, { now: this.#now, isOfExport: true })
    } else {
      this.#vote(summary.record.calories, activity.values.calories)
      this.#addSummary(summary, activity)
    }
  }

  /** Adds the summaries whose activity has no file. */
  addRest(): void {
    for (const summaries of this.#byStart.values()) {
      for (const summary of summaries) this.#addSummary(summary)
    }
    this.#byStart.clear()
  }

  #take(start: number): Summary | undefined {
    const found = nearSeconds(Math.floor(start / 1000)).find((near) => this.#byStart.has(near))
    if (found === undefined) return undefined
    const list = this.#byStart.get(found)
    const summary = list?.shift()
    if (list?.length === 0) this.#byStart.delete(found)
    return summary
  }

  #vote(given: unknown, calories: number | null | undefined): void {
    if (typeof given !== 'number' || !calories) return
    if (isNear(given, calories)) this.#votes.kcal += 1
    else if (isNear(given / KILOJOULES, calories)) this.#votes.kilojoules += 1
  }

  /** Exports have calories in either unit: only files of activities show in which. */
  #caloriesOf(given: number | null): number | null {
    const { kcal, kilojoules } = this.#votes
    if (given === null || kcal === kilojoules) return null
    return kcal > kilojoules ? given : rounded(given / KILOJOULES)
  }

  #addSummary(summary: Summary, recorded?: RecordedActivity): void {
    const data = this.#data
    data.count()
    const { id, title, start, end, record } = summary
    const offset = summary.offset ?? recorded?.start.offset ?? null
    const values = this.#valuesOf(record)
    if (values === undefined) return
    const { activityType: type } = record
    const kind = isFields(type) ? type.typeKey : type
    addActivity(
      data,
      {
        start: { at: start, offset },
        end: { at: Math.max(end, recorded?.end.at ?? end), offset },
        sport: typeof kind === 'string' ? kind : (recorded?.sport ?? ''),
        values: { ...withoutNulls(values), ...withoutNulls(recorded?.values ?? {}), title },
        points: recorded?.points ?? [],
        sourceType: recorded?.sourceType ?? 'unknown',
        deviceModel: recorded?.deviceModel ?? '',
        raw: record,
        detail: 0,
      },
      { now: this.#now, recordId: id, isOfExport: true },
    )
  }

  #valuesOf(record: Fields) {
    const reader = this.#data.read('workouts', record)
    if (reader === undefined) return undefined
    const meters = (name: string, least = 0) => {
      const value = reader.number(name, least * CENTIMETERS, 1e10)
      return value === null ? null : value / CENTIMETERS
    }
    const distance = meters('distance') || null
    const duration = reader.number('duration', 0, MOST_MS)
    const moving = reader.number('movingDuration', 0, MOST_MS)
    const active = moving ?? duration
    const [mean, most] = [reader.number('avgSpeed', 0, 500), reader.number('maxSpeed', 0, 500)]
    const factor = speedFactor(mean, distance, duration)
    const values = {
      duration_active_second: active === null ? null : Math.round(active / 1000),
      distance_meter: distance,
      elevation_gain_meter: meters('elevationGain'),
      elevation_minimum_meter: meters('minElevation', -1000),
      elevation_maximum_meter: meters('maxElevation', -1000),
      speed_mean: mean === null || factor === null ? null : rounded(mean * factor),
      speed_maximum: most === null || factor === null ? null : rounded(most * factor),
      heart_rate_mean: reader.heartRate('avgHr'),
      heart_rate_maximum: reader.heartRate('maxHr'),
      power_mean: reader.measured('avgPower', 20_000),
      power_maximum: reader.measured('maxPower', 20_000),
      power_weighted_mean: reader.measured('normPower', 20_000),
      steps: reader.integer('steps') || null,
      calories: this.#caloriesOf(reader.measured('calories', 1e6)),
    }
    return this.#data.isValid('workouts', reader, record) ? values : undefined
  }
}

const nearSeconds = (second: number): number[] =>
  [0, 1, -1, NEAR_SECONDS, -NEAR_SECONDS].map((offset) => second + offset)

/** Removes the noise of binary fractions. */
const rounded = (value: number): number => Number(value.toFixed(6))

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= NEAR * Math.abs(b)

/**
 * Returns by how much speeds must be multiplied to be meters per second. Exports have a tenth of
 * it, or it: distance and duration show which; null where neither fits.
 */
function speedFactor(
  mean: number | null,
  distance: number | null,
  duration: number | null,
): number | null {
  if (!mean || !distance || !duration) return null
  const speed = (1000 * distance) / duration
  return [10, 1].find((factor) => isNear(mean * factor, speed)) ?? null
}
