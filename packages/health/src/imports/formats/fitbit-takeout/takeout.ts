import { DAY_MS } from '@salus/contracts/time-units'
import { dateAtOffset } from '@salus/kernel/time/instants'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { ImportContext } from '../import-format.ts'
import { addExerciseList, addUserExercises } from './exercises.ts'
import { FitbitDays } from './fitbit-days.ts'
import { addGoogleTable } from './google-tables.ts'
import { type Member, type MemberKind, membersOf } from './members.ts'
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

/** Reads the files of a Fitbit account in the order in which they count. */
export class Takeout {
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
