import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { encodingOf } from '../../files/text.ts'

export type GarminKind =
  | 'UDSFile'
  | 'sleepData'
  | 'healthStatusData'
  | 'userBioMetrics'
  | 'BloodPressureFile'
  | 'HydrationLogFile'
  | 'summarizedActivities'
  | 'MetricsMaxMetData'
  // An answer of the pages of Garmin Connect, as programs for downloading save them.
  | 'answer'

export interface GarminMember {
  file: ImportFile
  kind: GarminKind
}

/** How names begin or end; the rest may be the address of the person. */
const NAMES: readonly (readonly [RegExp, GarminKind])[] = [
  [/^udsfile_.*\.json$/, 'UDSFile'],
  [/_sleepdata\.json$/, 'sleepData'],
  [/_healthstatusdata\.json$/, 'healthStatusData'],
  [/_userbiometrics\.json$/, 'userBioMetrics'],
  [/^bloodpressurefile_.*\.json$/, 'BloodPressureFile'],
  [/^hydrationlogfile_.*\.json$/, 'HydrationLogFile'],
  [/_summarizedactivities\.json$/, 'summarizedActivities'],
  [/^metricsmaxmetdata_.*\.json$/, 'MetricsMaxMetData'],
]

/** Fields by which a list is recognized that was uploaded alone. */
const FIELDS: readonly (readonly [RegExp[], GarminKind])[] = [
  [[/"summarizedActivitiesExport"/], 'summarizedActivities'],
  [[/"sleepStartTimestampGMT"\s*:\s*(?:"|null)/, /"calendarDate"/], 'sleepData'],
  [[/"sleepWindowConfirmationType"/, /"calendarDate"/], 'sleepData'],
  [
    [/"calendarDate"/, /"metrics"\s*:\s*\[/, /"baselineLowerLimit"|"type"\s*:\s*"HRV"/],
    'healthStatusData',
  ],
  [
    [/"calendarDate"/, /"totalSteps"/, /"uuid"|"includesWellnessData"|"wellnessStartTimeGmt"/],
    'UDSFile',
  ],
  [[/"calendarDate"/, /"totalSteps"/, /"totalKilocalories"/], 'UDSFile'],
  [[/"systolic"/, /"diastolic"/, /GMT"/], 'BloodPressureFile'],
  [[/"valueInML"/, /"calendarDate"|GMT"/], 'HydrationLogFile'],
]

/** Fields of answers of Garmin Connect. */
const ANSWERS: readonly (readonly RegExp[])[] = [
  [/"heartRateValueDescriptors"/, /"heartRateValues"/],
  [/"hrvSummary"/, /"hrvReadings"/],
  [/"dailySleepDTO"/, /"sleepStartTimestampGMT"/],
  [/"userDailySummaryId"/, /"totalSteps"/],
  [/"dateWeightList"/, /"samplePk"/],
  [/"calendarDate"/, /"totalSteps"/, /"stepGoal"/],
]
/** Folder of an account, in which every file has its name. */
export const ACCOUNT = /(?:^|\/)DI_CONNECT\//i

/** Returns what a file is; undefined for others, such as those of the person's account. */
export async function garminMemberOf(file: ImportFile): Promise<GarminMember | undefined> {
  if (file.path !== '') {
    const kind = NAMES.find(([pattern]) => pattern.test(file.name))?.[1]
    if (kind !== undefined) return { file, kind }
    if (!file.name.endsWith('.json') || ACCOUNT.test(file.path)) return undefined
  }
  const text = await openingText(file)
  const fits = (patterns: readonly RegExp[]) => patterns.every((pattern) => pattern.test(text))
  if (/^\s*[[{]/.test(text) && ANSWERS.some(fits)) return { file, kind: 'answer' }
  if (file.path !== '' || !/^\s*\[/.test(text)) return undefined
  const kind = FIELDS.find(([patterns]) => fits(patterns))?.[1]
  return kind && { file, kind }
}

async function openingText(file: ImportFile): Promise<string> {
  const opening = await file.opening()
  try {
    return new TextDecoder(encodingOf(opening)).decode(opening)
  } catch (error) {
    if (error instanceof ImportFileError) return ''
    throw error
  }
}

const DATE = /\d{4}-\d\d-\d\d/g

/**
 * Orders files by the last date of their name, and then by the time at which they were written: of
 * two files with the same day the later one counts.
 */
export function inOrderOfExport(members: readonly GarminMember[]): GarminMember[] {
  const lastDate = ({ file }: GarminMember) => file.name.match(DATE)?.at(-1) ?? ''
  return members.toSorted(
    (a, b) =>
      lastDate(a).localeCompare(lastDate(b)) ||
      (a.file.writtenAt ?? 0) - (b.file.writtenAt ?? 0) ||
      (a.file.path < b.file.path ? -1 : 1),
  )
}
