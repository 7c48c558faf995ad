import { withoutNulls } from '../../../connectors/index.ts'
import type { CsvRow } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile } from '../../files/import-files.ts'
import type { ImportOptions } from '../../import-options.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { TypeData } from '../../running/type-data.ts'
import { readRecording } from '../activity-file/read-recording.ts'
import { addActivity, type RecordedActivity } from '../activity-file/recorded-activity.ts'
import { kindOf } from '../activity-file/recording-kind.ts'
import type { ImportContext } from '../import-format.ts'
import { readStravaDate } from './strava-dates.ts'
import {
  cellOf,
  readStravaNumber,
  SHOWN_IN_METERS,
  type StravaColumn,
  type StravaTable,
} from './strava-table.ts'

/** No activity is longer than a year. */
const MOST_SECONDS = 31_622_400
const METERS: Readonly<Record<string, number>> = { km: 1000, mi: 1609.344, m: 1 }

/** Columns that are kept and quarantined; names and notes are not among them. */
const KEPT: readonly StravaColumn[] = [
  'id',
  'date',
  'type',
  'elapsed',
  'moving',
  'distance',
  'maximumSpeed',
  'meanSpeed',
  'gain',
  'lowest',
  'highest',
  'maximumRate',
  'meanRate',
  'maximumPower',
  'meanPower',
  'weightedPower',
  'calories',
]

interface Sources {
  table: StravaTable
  order: ImportOptions['date_order']
  /** Files of activities by their names. */
  folder: ReadonlyMap<string, ImportFile>
}

/** Turns rows of the table into workouts, each with its file. */
export class StravaActivities {
  readonly #data: TypeData
  readonly #context: ImportContext
  readonly #sources: Sources

  constructor(context: ImportContext, out: ImportWriter, sources: Sources) {
    this.#context = context
    this.#sources = sources
    this.#data = out.type('activities.csv', 'workouts')
  }

  async add(row: CsvRow): Promise<void> {
    const { table, order } = this.#sources
    const data = this.#data
    const cell = (column: StravaColumn) => cellOf(row, table, column)
    const raw = Object.fromEntries(KEPT.map((column) => [column, cell(column)]))
    data.count()
    const recordId = cell('id')
    const values = /^\d{1,20}$/.test(recordId) ? this.#valuesOf(row, raw) : undefined
    if (values === undefined) {
      if (!/^\d{1,20}$/.test(recordId)) data.quarantine('workouts', 'invalid_field', raw)
      return
    }
    const recorded = await this.#recordingOf(cell('filename'))
    // A date in a language that is not known here: the device knows the start.
    const at = readStravaDate(cell('date'), order) ?? recorded?.start.at
    if (at === undefined || values.elapsed === null) {
      data.quarantine('workouts', at === undefined ? 'invalid_start_date' : 'invalid_end_date', raw)
      return
    }
    const { elapsed, ...columns } = values
    const offset = recorded?.start.offset ?? null
    const [from, to] = [at, at + elapsed * 1000]
    const type = cell('type').replaceAll(' ', '')
    addActivity(
      data,
      {
        start: { at: from, offset },
        end: { at: to, offset },
        // Types of other languages are unknown; the device knows the sport.
        sport: table.isEnglish ? type : (recorded?.sport ?? type),
        values: { ...withoutNulls(recorded?.values ?? {}), ...withoutNulls(columns) },
        points: (recorded?.points ?? []).filter(
          ({ second }) => second * 1000 >= from - 1000 && second * 1000 <= to + 1000,
        ),
        // The vendor knows the model of a device and not what kind it is.
        sourceType: cell('filename') === '' ? 'app' : 'unknown',
        deviceModel: recorded?.deviceModel ?? '',
        raw,
        detail: 0,
      },
      { now: this.#context.now, recordId, isOfExport: true },
    )
  }

  #valuesOf(row: CsvRow, raw: Record<string, string>) {
    const { table } = this.#sources
    const numbers = Object.fromEntries(
      KEPT.slice(3).map((column) => [
        column,
        readStravaNumber(cellOf(row, table, column), table.isEnglish),
      ]),
    )
    const reader = this.#data.read('workouts', numbers)
    if (reader === undefined) return undefined
    const distance = reader.measured('distance', 1e8)
    const isManual = cellOf(row, table, 'filename') === ''
    const values = {
      elapsed: reader.number('elapsed', 0, MOST_SECONDS),
      title: cellOf(row, table, 'title').toWellFormed() || null,
      duration_active_second: reader.integer('moving', 0, MOST_SECONDS),
      distance_meter: distance === null ? null : distance * this.#metersOf(raw.type ?? ''),
      speed_maximum: reader.measured('maximumSpeed', 500),
      speed_mean: reader.measured('meanSpeed', 500),
      // An entry by hand has 0 for all that the person did not enter.
      elevation_gain_meter: isManual ? reader.measured('gain', 1e6) : reader.number('gain', 0, 1e6),
      elevation_minimum_meter: reader.number('lowest', -1000, 20_000),
      elevation_maximum_meter: reader.number('highest', -1000, 20_000),
      heart_rate_maximum: reader.heartRate('maximumRate'),
      heart_rate_mean: reader.heartRate('meanRate'),
      power_maximum: reader.measured('maximumPower', 10_000),
      power_mean: reader.measured('meanPower', 10_000),
      power_weighted_mean: reader.measured('weightedPower', 10_000),
      calories: reader.measured('calories', 1e6),
    }
    return this.#data.isValid('workouts', reader, raw) ? values : undefined
  }

  /** Returns the meters of the unit of the distance. */
  #metersOf(type: string): number {
    if (!this.#sources.table.isDistanceShown || SHOWN_IN_METERS.test(type)) return 1
    return METERS[this.#context.options.distance_unit ?? 'm'] ?? 1
  }

  /** Returns what a device recorded; undefined for an activity without a readable file. */
  async #recordingOf(filename: string): Promise<RecordedActivity | undefined> {
    const name = filename.slice(filename.lastIndexOf('/') + 1).toLowerCase()
    const file = this.#sources.folder.get(name.replace(/\.gz$/, ''))
    if (file === undefined) return undefined
    const data = this.#data
    try {
      const kind = await kindOf(file)
      if (kind === undefined) throw new ImportFileError('malformed_file')
      const { now } = this.#context
      const { activities } = await readRecording(file, kind, { data, now })
      const [first] = activities
      // A file of several sports has a workout for each; the row is that of all.
      return first && { ...first, points: activities.flatMap(({ points }) => points) }
    } catch (error) {
      if (!(error instanceof ImportFileError)) throw error
      data.quarantine('workout_stream', 'invalid_field', { file: error.code })
      return undefined
    }
  }
}
