import { readFirstRows } from '../../files/csv.ts'
import { ASK_TIME_ZONE, hasTimeZone, type ImportQuestion } from '../../import-options.ts'
import type { ImportFormat } from '../import-format.ts'
import { readUtc } from './fitbit-times.ts'
import { isNameless, type Member, type MemberKind, memberOf, membersOf } from './members.ts'

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
    const { unitOfWeights } = await import('./weights.ts')
    const members = await membersOf(files)
    const weights = members.filter(({ kind }) => kind === 'weight')
    const units = await Promise.all(weights.map(unitOfWeights))
    const isUnitUnknown = weights.length > 0 && units.every((unit) => unit === undefined)
    return [
      ...(!hasTimeZone(options) && (await haveLocalTimes(members)) ? [ASK_TIME_ZONE] : []),
      ...(isUnitUnknown && options.weight_unit === undefined ? [ASK_WEIGHT_UNIT] : []),
    ]
  },
  async read(context, out) {
    const { Takeout } = await import('./takeout.ts')
    await new Takeout(context, out).read()
  },
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
