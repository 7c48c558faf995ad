import { DAY_MS } from '@salus/contracts/time-units'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { readFirstRows } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFiles } from '../../files/import-files.ts'
import { ASK_TIME_ZONE, hasTimeZone, type ImportQuestion } from '../../import-options.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { ImportContext, ImportFormat } from '../import-format.ts'
import { addExerciseList, addUserExercises } from './exercises.ts'
import { FitbitDays } from './fitbit-days.ts'
import { readUtc } from './fitbit-times.ts'
import { addGoogleTable } from './google-tables.ts'
import { isNameless, type Member, type MemberKind, memberOf } from './members.ts'
import {
  addAmounts,
  addCalories,
  addHeartRates,
  addMinutes,
  addRestingRates,
  CoveredDates,
  type ListTarget,
} from './minute-lists.ts'
import { addNightTable, NIGHT_TABLES } from './night-tables.ts'
import {
  addSleepList,
  addUserSleeps,
  readScores,
  readStages,
  type SleepScores,
  type StagesOfSleeps,
} from './sleeps.ts'
import { addWeights, unitOfWeights } from './weights.ts'

/** Files with local times, which need a zone. */
const LOCAL: ReadonlySet<MemberKind> = new Set([
  'sleep',
  'weight',
  'calories',
  'hrv_details',
  'device_temperature',
])

const ASK_WEIGHT_UNIT: ImportQuestion = {
  option: 'weight_unit',
  reason: 'The weights have the unit of the account, which the file does not name.',
  choices: ['kg', 'lb', 'st'],
}

/** Tables of other products of an account, which come before those of Fitbit. */
const MOST_OTHER_TABLES = 5000

/** The data of a Fitbit account from Google Takeout or from the older account export. */
export const FITBIT_TAKEOUT: ImportFormat = {
  slug: 'fitbit_takeout',
  title: 'Fitbit data of Google Takeout',
  howToExport:
    'On takeout.google.com: deselect all, select Fitbit (or Google Health), Next step, Create export. Choose the largest file size, so that the export is one zip; otherwise put all its zips into one.',
  provider: 'fitbit',
  notes: [
    'Sleeps, exercises and weights have the ids of the Fitbit interface, so that a connection of Fitbit has the same records.',
    'Steps, distances and heart rates of the lists (JSON) are read before the tables of the same days (CSV), which have them again for each device. Each device of a table is a source of its own.',
    'Sleeps of the newer tables, which have their offset from UTC, are read before those of the lists.',
    'Calories include those of rest. They become the total of their day, and no active calories.',
    'Heart rates without confidence are left out, and so are an oxygen saturation of 50 (no reading), minutes of days after the export, and resting heart rates of 0.',
    'The unit of weights is found by the body mass index beside them.',
    'Profile, scores of stress, zones, foods and live copies of steps are not read.',
    'The published tables of many persons (such as dailyActivity_merged.csv) are refused, because an import has one person.',
  ],
  options: ['time_zone', 'weight_unit'],
  async recognize(files) {
    let others = 0
    for (const file of files.files) {
      if ((await memberOf(file)) !== undefined || (await isNameless(file))) return true
      if (file.name.endsWith('.csv') && ++others > MOST_OTHER_TABLES) return false
    }
    return false
  },
  async ask({ files, options }) {
    const members = await membersOf(files)
    const weights = members.filter(({ kind }) => kind === 'weight')
    const units = await Promise.all(weights.map(unitOfWeights))
    const isUnitUnknown = weights.length > 0 && units.every((unit) => unit === undefined)
    return [
      ...(!hasTimeZone(options) && (await haveLocalTimes(members)) ? [ASK_TIME_ZONE] : []),
      ...(isUnitUnknown && options.weight_unit === undefined ? [ASK_WEIGHT_UNIT] : []),
    ]
  },
  read: (context, out) => new Takeout(context, out).read(),
}

async function haveLocalTimes(members: readonly Member[]): Promise<boolean> {
  if (members.some(({ kind }) => LOCAL.has(kind))) return true
  // Most exports have them in UTC.
  for (const { file, kind } of members) {
    if (kind !== 'minute_oxygen') continue
    const [, first] = await readFirstRows(file)
    if (first?.[0] !== undefined && readUtc(first[0]) === undefined) return true
  }
  return false
}

/** @throws ImportFileError for data of several persons, or of an unknown kind */
async function membersOf({ files }: ImportFiles): Promise<Member[]> {
  const members: Member[] = []
  for (const file of files) {
    const member = await memberOf(file)
    if (member !== undefined) members.push(member)
  }
  if (members.some(({ kind }) => kind === 'many_persons')) {
    throw new ImportFileError('unknown_format', {
      hint: 'Each row of the table names a person; an import has the data of one.',
    })
  }
  if (members.length > 0) return members
  throw new ImportFileError('unknown_format', {
    hint: 'It is a list of a Fitbit export, but only its name says what it has. Upload the zip.',
  })
}

class Takeout {
  readonly #context: ImportContext
  readonly #out: ImportWriter
  readonly #days = new FitbitDays()
  readonly #covered = new CoveredDates()

  constructor(context: ImportContext, out: ImportWriter) {
    this.#context = context
    this.#out = out
  }

  async read(): Promise<void> {
    const { files, now } = this.#context
    const members = await membersOf(files)
    const written = members.flatMap(({ file }) => file.writtenAt ?? [])
    const exportedAt = written.length === 0 ? null : written.reduce((a, b) => Math.max(a, b))
    this.#out.exportedAt = exportedAt
    const of = (...kinds: MemberKind[]) => members.filter(({ kind }) => kinds.includes(kind))
    await this.#readLists(of)
    await this.#readNights(of)
    for (const member of of('google_table')) {
      await addGoogleTable(member, this.#targetOf(tableName(member), null))
    }
    // Any local date of the moment of the export.
    const lastDate = dateAtOffset((exportedAt ?? now.getTime()) + DAY_MS / 2, 0)
    this.#days.addTo(this.#out.type('days', 'activity'), this.#context, lastDate)
    await this.#out.settle()
  }

  async #readLists(of: (...kinds: MemberKind[]) => Member[]): Promise<void> {
    for (const member of of('steps')) {
      await addAmounts(member, this.#targetOf('steps', 'steps'), 'steps')
    }
    for (const member of of('distance')) {
      await addAmounts(member, this.#targetOf('distance', 'distance'), 'distance')
    }
    for (const member of of('heart_rate')) {
      await addHeartRates(member, this.#targetOf('heart_rate', 'heartrate'))
    }
    for (const member of of('minutes')) {
      await addMinutes(member, this.#targetOf('active minutes', 'activity'))
    }
    for (const member of of('calories')) {
      await addCalories(member, this.#targetOf('calories', 'activity'))
    }
    for (const member of of('resting_heart_rate')) {
      await addRestingRates(member, this.#targetOf('resting_heart_rate', 'activity'))
    }
    const weights = of('weight')
    const units = await Promise.all(weights.map(unitOfWeights))
    const known = this.#context.options.weight_unit ?? units.find((unit) => unit !== undefined)
    for (const [index, member] of weights.entries()) {
      const unit = this.#context.options.weight_unit ?? units[index] ?? known ?? 'kg'
      await addWeights(member, this.#targetOf('weight', 'body'), unit)
    }
    const starts = new Set<number>()
    for (const member of of('exercise')) {
      await addExerciseList(member, this.#targetOf('exercise', 'workouts'), starts)
    }
    for (const member of of('UserExercises')) {
      await addUserExercises(member, this.#targetOf('UserExercises', 'workouts'), starts)
    }
  }

  async #readNights(of: (...kinds: MemberKind[]) => Member[]): Promise<void> {
    const stages: StagesOfSleeps = new Map()
    for (const member of of('UserSleepStages')) {
      await readStages(member, this.#out.type('UserSleepStages', 'sleep'), stages)
    }
    const scores: SleepScores = new Map()
    for (const member of of('sleep_scores')) {
      await readScores(member, this.#out.type('sleep scores', 'sleep'), scores)
    }
    const known = { stages, scores, starts: new Set<string>() }
    for (const member of of('UserSleeps')) {
      await addUserSleeps(member, this.#targetOf('UserSleeps', 'sleep'), known)
    }
    for (const member of of('sleep')) {
      await addSleepList(member, this.#targetOf('sleep', 'sleep'), known)
    }
    for (const [kind, table] of Object.entries(NIGHT_TABLES)) {
      for (const member of of(kind as MemberKind)) {
        const target = this.#targetOf(kind, table.series)
        const isRepeated = table.unless !== undefined && of(table.unless).length > 0
        if (isRepeated) target.data.countMerged()
        else await addNightTable(member, table, target)
      }
    }
  }

  #targetOf(type: string, resource: string | null): ListTarget {
    return {
      data: this.#out.type(type, resource),
      context: this.#context,
      days: this.#days,
      covered: this.#covered,
      settle: () => this.#out.settle(),
    }
  }
}

/** Names the table by its column, which is none of a person. */
const tableName = ({ head }: Member): string =>
  `table of ${head.find((name) => /^[a-z0-9 ]{3,40}$/.test(name) && name !== 'timestamp') ?? 'values'}`
