import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile, ImportFiles } from '../../files/import-files.ts'
import { ASK_TIME_ZONE, hasTimeZone } from '../../import-options.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { FitFile } from '../activity-file/fit/fit-file.ts'
import { addMonitoring } from '../activity-file/fit/fit-monitoring.ts'
import { addWeights } from '../activity-file/fit/fit-weight.ts'
import { kindOf, readRecording } from '../activity-file/read-recording.ts'
import type { ImportContext, ImportFormat } from '../import-format.ts'
import { readAnswer } from './connect-answers.ts'
import { GarminActivities } from './garmin-activities.ts'
import { GarminDays } from './garmin-days.ts'
import {
  addBioMetrics,
  addDrinks,
  addHealthStatus,
  addOxygenUptakes,
  addPressures,
  hasLocalWeight,
} from './garmin-measurements.ts'
import {
  ACCOUNT,
  type GarminKind,
  type GarminMember,
  garminMemberOf,
  inOrderOfExport,
} from './garmin-members.ts'
import { GarminSleeps, type NightMetrics } from './garmin-sleeps.ts'

const RECORDING = /\.(?:fit|tcx|gpx)(?:\.gz)?$/i
const MONITORING: ReadonlySet<unknown> = new Set([
  'monitoring_a',
  'monitoring_daily',
  'monitoring_b',
])

/** Files of JSON before the first one of Garmin: an export of another kind has thousands. */
const MOST_OTHER_FILES = 500

/** The export of a Garmin account. */
export const GARMIN_EXPORT: ImportFormat = {
  slug: 'garmin_export',
  title: 'Export of a Garmin account',
  howToExport:
    'On garmin.com: Account, Data Management, Export Your Data, Request Data Export. Garmin sends an e-mail with the address of the zip.',
  provider: 'garmin',
  notes: [
    'Days, nights and activities have the ids of a connection of Garmin: the date, or the id of the activity.',
    'Where files overlap, the day or night of the latest one counts.',
    'The files of the device (FIT, also those in zips inside) add streams, heart rates and distances to the activities of the same start, and steps, heart rates and stress of days.',
    'Nights have the sums of their stages; the export has no stages by time.',
    'The calories of an activity come from its file. The summaries have kcal or kJ, and are read only where the files of other activities show which.',
    'The stress of a day, training scores, body battery and the data of the account are not read.',
    'Single answers of the pages of Garmin Connect (JSON), as programs for downloading save them, are read too: heart rates, variability, nights, days and weights.',
    'Names of files have the e-mail address of the person and are not kept.',
  ],
  options: ['time_zone'],
  async recognize({ files }) {
    if (files.some(({ path }) => ACCOUNT.test(path))) return true
    let others = 0
    for (const file of files) {
      if ((await garminMemberOf(file)) !== undefined) return true
      if (file.name.endsWith('.json') && ++others > MOST_OTHER_FILES) return false
    }
    return false
  },
  async ask({ files, options }) {
    if (hasTimeZone(options)) return []
    for (const { file, kind } of await membersOf(files)) {
      if (kind === 'userBioMetrics' && (await hasLocalWeight(file))) return [ASK_TIME_ZONE]
    }
    return []
  },
  async read(context, out) {
    const members = await membersOf(context.files)
    const written = members.flatMap(({ file }) => file.writtenAt ?? [])
    out.exportedAt = written.length === 0 ? null : written.reduce((a, b) => Math.max(a, b))
    await new GarminImport(context, out, members).read()
  },
}

/** The members of files that were asked about and are read next. */
const MEMBERS = new WeakMap<ImportFiles, Promise<GarminMember[]>>()

function membersOf(files: ImportFiles): Promise<GarminMember[]> {
  const members = MEMBERS.get(files) ?? findMembers(files)
  MEMBERS.set(files, members)
  return members
}

/** Files are looked at one after another: an archive may have hundreds of thousands. */
async function findMembers({ files }: ImportFiles): Promise<GarminMember[]> {
  const members: GarminMember[] = []
  for (const file of files) {
    const member = await garminMemberOf(file)
    if (member !== undefined) members.push(member)
  }
  return inOrderOfExport(members)
}

/** Of the files of one activity FIT has the most, and GPX the least. */
const detailOf = ({ name }: ImportFile): number => ['.gpx', '.tcx', '.fit'].indexOf(name.slice(-4))

class GarminImport {
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
