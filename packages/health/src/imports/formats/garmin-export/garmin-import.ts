import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile } from '../../files/import-files.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { FitFile } from '../activity-file/fit/fit-file.ts'
import { addMonitoring } from '../activity-file/fit/fit-monitoring.ts'
import { addWeights } from '../activity-file/fit/fit-weight.ts'
import { readRecording } from '../activity-file/read-recording.ts'
import { kindOf } from '../activity-file/recording-kind.ts'
import type { ImportContext } from '../import-format.ts'
import { readAnswer } from './connect-answers.ts'
import { GarminActivities } from './garmin-activities.ts'
import { GarminDays } from './garmin-days.ts'
import {
  addBioMetrics,
  addDrinks,
  addHealthStatus,
  addOxygenUptakes,
  addPressures,
} from './garmin-measurements.ts'
import type { GarminKind, GarminMember } from './garmin-members.ts'
import { GarminSleeps, type NightMetrics } from './garmin-sleeps.ts'

const RECORDING = /\.(?:fit|tcx|gpx)(?:\.gz)?$/i
const MONITORING: ReadonlySet<unknown> = new Set([
  'monitoring_a',
  'monitoring_daily',
  'monitoring_b',
])

/** Of the files of one activity FIT has the most, and GPX the least. */
const detailOf = ({ name }: ImportFile): number => ['.gpx', '.tcx', '.fit'].indexOf(name.slice(-4))

/** Reads the files of a Garmin account in the order in which they count. */
export class GarminImport {
  readonly #context: ImportContext
  readonly #out: ImportWriter
  readonly #members: readonly GarminMember[]
  readonly #days = new GarminDays()
  readonly #sleeps = new GarminSleeps()

  constructor(context: ImportContext, out: ImportWriter, members: readonly GarminMember[]) {
    this.#context = context
    this.#out = out
    this.#members = members
  }

  async read(): Promise<void> {
    const { now } = this.#context
    const out = this.#out
    const days = out.type('UDSFile', 'activity')
    const answers = { out, days: this.#days, sleeps: this.#sleeps, now }
    for (const member of this.#of('answer')) {
      await readAnswer(member, answers)
      await out.settle()
    }
    for (const member of this.#of('UDSFile')) await this.#days.read(member, days, now)
    this.#days.addTo(days)
    await this.#readNights()
    for (const member of this.#of('userBioMetrics')) {
      await addBioMetrics(member, out.type('userBioMetrics', 'body'), this.#context)
    }
    for (const member of this.#of('BloodPressureFile')) {
      await addPressures(member, out.type('BloodPressureFile', 'blood_pressure'), this.#context)
    }
    for (const member of this.#of('HydrationLogFile')) {
      await addDrinks(member, out.type('HydrationLogFile', 'water'), this.#context)
    }
    const uptakes = out.type('MetricsMaxMetData', 'vo2_max')
    await addOxygenUptakes(this.#of('MetricsMaxMetData'), uptakes, this.#context)
    await out.settle()
    await this.#readActivities()
  }

  #of(kind: GarminKind): GarminMember[] {
    return this.#members.filter((member) => member.kind === kind)
  }

  async #readNights(): Promise<void> {
    const out = this.#out
    const [sleeps, metrics] = [this.#sleeps, new Map<string, NightMetrics>()]
    const nights = { sleeps, days: this.#days, metrics }
    const data = out.type('sleepData', 'sleep')
    for (const member of this.#of('sleepData')) await sleeps.read(member, data, this.#context.now)
    for (const member of this.#of('healthStatusData')) {
      await addHealthStatus(member, out.type('healthStatusData', 'hrv'), nights)
    }
    sleeps.addTo(data, this.#context, this.#days, metrics)
    await out.settle()
  }

  async #readActivities(): Promise<void> {
    const { files, now } = this.#context
    const data = this.#out.type('activities', 'workouts')
    const activities = new GarminActivities(data, now)
    for (const member of this.#of('summarizedActivities')) await activities.read(member)
    const recordings = files.select(RECORDING).toSorted((a, b) => detailOf(b) - detailOf(a))
    for (const file of recordings) {
      await this.#readRecording(file, activities)
      await this.#out.settle()
    }
    activities.addRest()
    await this.#out.settle()
  }

  async #readRecording(file: ImportFile, activities: GarminActivities): Promise<void> {
    const data = this.#out.type('activities', 'workouts')
    try {
      const kind = await kindOf(file)
      if (kind === undefined) return
      const { now } = this.#context
      const recording = await readRecording(file, kind, { data, now })
      for (const activity of recording.activities) activities.addRecorded(activity)
      for (const other of recording.others) this.#addOther(other)
    } catch (error) {
      if (!(error instanceof ImportFileError)) throw error
      // The other files are sound.
      data.count()
      data.quarantine('workouts', 'invalid_field', { file: error.code })
    }
  }

  #addOther(file: FitFile): void {
    const type = file.all('file_id')[0]?.type
    // The vendor's own days count above the counters of the device.
    const withDays = this.#days.size === 0
    if (MONITORING.has(type)) addMonitoring(file, this.#out, this.#context, { withDays })
    else if (type === 'weight') addWeights(file, this.#out, this.#context.now)
    else this.#out.type('other files of the device', null).countNotSupported()
  }
}
