import { readFirstRows } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile, ImportFiles } from '../../files/import-files.ts'
import { encodingOf } from '../../files/text.ts'

/** Kinds of files that are read. */
export type MemberKind =
  // Lists of the older export, named after what they have.
  | 'steps'
  | 'distance'
  | 'calories'
  | 'heart_rate'
  | 'minutes'
  | 'resting_heart_rate'
  | 'weight'
  | 'sleep'
  | 'exercise'
  // Tables of the newer export.
  | 'google_table'
  | 'UserSleeps'
  | 'UserSleepStages'
  | 'UserExercises'
  // Tables of nights.
  | 'hrv_details'
  | 'hrv_days'
  | 'minute_oxygen'
  | 'daily_oxygen'
  | 'device_temperature'
  | 'breath_days'
  | 'sleep_scores'
  // Tables of many persons.
  | 'many_persons'

export interface Member {
  file: ImportFile
  kind: MemberKind
  /** Head row of a table. */
  head: readonly string[]
}

/** Names of lists, the date or number at their end left out. */
const LISTS: readonly (readonly [RegExp, MemberKind])[] = [
  [/^steps-/, 'steps'],
  [/^distance-/, 'distance'],
  [/^calories-/, 'calories'],
  [/^heart_rate-/, 'heart_rate'],
  [/^(?:sedentary|lightly_active|moderately_active|very_active)_minutes-/, 'minutes'],
  [/^resting_heart_rate-/, 'resting_heart_rate'],
  [/^weight-/, 'weight'],
  [/^sleep-/, 'sleep'],
  [/^exercise-/, 'exercise'],
]
const LIST_NAME = /^[a-z_]+-[\d-]+(?: ?\(\d+\))?\.json$/
/** Fields of the first item of lists that are recognized without a name. */
const ITEMS: readonly (readonly [RegExp, MemberKind])[] = [
  [/"value"\s*:\s*\{[^}]*"bpm"\s*:[^}]*"confidence"/, 'heart_rate'],
  [/"value"\s*:\s*\{[^}]*"date"\s*:[^}]*"error"/, 'resting_heart_rate'],
  [/"dateOfSleep"\s*:/, 'sleep'],
  [/"logId"\s*:[\s\S]*"activityName"\s*:/, 'exercise'],
  [/"logId"\s*:[\s\S]*"weight"\s*:[\s\S]*"date"\s*:\s*"\d\d\/\d\d\/\d\d"/, 'weight'],
]
/** A list of times and texts, of which only the name says what they are. */
const NAMELESS =
  /^\s*\[\s*\{\s*"dateTime"\s*:\s*"\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d"\s*,\s*"value"\s*:\s*"/

const TABLES: readonly (readonly [needed: readonly string[], kind: MemberKind])[] = [
  [['sleep_id', 'sleep_start', 'sleep_end', 'sleep_type'], 'UserSleeps'],
  [['sleep_id', 'sleep_stage_type', 'sleep_stage_start', 'sleep_stage_end'], 'UserSleepStages'],
  [['exercise_start', 'exercise_end', 'activity_name'], 'UserExercises'],
  [['timestamp', 'rmssd', 'coverage', 'low_frequency'], 'hrv_details'],
  [['timestamp', 'rmssd', 'nremhr'], 'hrv_days'],
  [['timestamp', 'average_value', 'lower_bound'], 'daily_oxygen'],
  [['timestamp', 'daily_respiratory_rate'], 'breath_days'],
  [['sleep_log_entry_id', 'overall_score'], 'sleep_scores'],
  [['sleep_id', 'sleep_score_id', 'overall_score'], 'sleep_scores'],
  [['timestamp', 'data source'], 'google_table'],
]
/** Tables of a published collection, in which each row names a person. */
const OF_PERSONS: readonly RegExp[] = [
  /^Id,(?:Activity(?:Day|Date|Hour|Minute)|SleepDay),/,
  /^Id,Time,Value$/,
  /^Id,date,value,logId$/,
  /^Id,Date,WeightKg,WeightPounds,/,
]

/**
 * Returns what a file is, by its head row or first item, and by its name where lists look alike;
 * undefined for other files, among them those that hold nothing but names or copies of others.
 */
export async function memberOf(file: ImportFile): Promise<Member | undefined> {
  const { name } = file
  if (name.endsWith('.json')) return LIST_NAME.test(name) ? listOf(file, name) : undefined
  if (name.endsWith('.csv')) return tableOf(file)
  if (file.path !== '') return undefined
  return (await listOf(file, '')) ?? tableOf(file)
}

async function listOf(file: ImportFile, name: string): Promise<Member | undefined> {
  const text = await textOf(file)
  // Other programs have lists with such names, too.
  if (!/^\s*\[\s*(?:\]|\{[\s\S]*"(?:dateTime|logId)"\s*:)/.test(text)) return undefined
  const named = LISTS.find(([pattern]) => pattern.test(name))?.[1]
  const kind = named ?? ITEMS.find(([pattern]) => pattern.test(text))?.[1]
  return kind && { file, kind, head: [] }
}

async function tableOf(file: ImportFile): Promise<Member | undefined> {
  const [head = []] = await readFirstRows(file)
  const found = TABLES.find(([needed]) => needed.every((name) => head.includes(name)))
  if (found !== undefined) return { file, kind: found[1], head }
  // Any program may write such a table: only the name says that it has saturations.
  const isOxygen = /^minute spo2/.test(file.name) && head.join() === 'timestamp,value'
  if (isOxygen) return { file, kind: 'minute_oxygen', head }
  const isTemperature =
    head[0] === 'recorded_time' &&
    head[1] === 'temperature' &&
    (/^device temperature/.test(file.name) || head[2] === 'sensor_type')
  if (isTemperature) return { file, kind: 'device_temperature', head }
  const isOfPersons = OF_PERSONS.some((pattern) => pattern.test(head.join()))
  return isOfPersons ? { file, kind: 'many_persons', head } : undefined
}

/** Whether a file is a list of the older export of which nothing says what it has. */
export const isNameless = async (file: ImportFile): Promise<boolean> =>
  file.path === '' && NAMELESS.test(await textOf(file))

async function textOf(file: ImportFile): Promise<string> {
  const opening = await file.opening()
  try {
    return new TextDecoder(encodingOf(opening)).decode(opening)
  } catch (error) {
    if (error instanceof ImportFileError) return ''
    throw error
  }
}

/**
 * Returns the files that are read.
 * @throws ImportFileError for data of several persons, or of an unknown kind
 */
export async function membersOf({ files }: ImportFiles): Promise<Member[]> {
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
