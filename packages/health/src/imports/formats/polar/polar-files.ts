import type { ImportFile } from '../../files/import-files.ts'

/** A kind of file of the export. */
export type PolarKind =
  | 'training'
  | 'activity'
  | 'heartRates'
  | 'sleepResults'
  | 'sleepScores'
  | 'recoveries'
  | 'weights'

interface Kind {
  kind: PolarKind
  /** The name in the export, before the ids of the delivery. */
  name: RegExp
  /** Fields by which a file without its name is known: all of them are in it. */
  fields: readonly RegExp[]
}

const field = (names: string): RegExp => new RegExp(`"(?:${names})"\\s*:`)

/** Files of other kinds, such as those of the account, are never read. */
const KINDS: readonly Kind[] = [
  {
    kind: 'training',
    name: /^training-session[-_]/,
    fields: [
      field('exercises'),
      field(
        'durationMillis|timezoneOffset|timezoneOffsetMinutes|timeZoneOffset|stopTime|hrAvg|kiloCalories|recordedRoute|wayPoints|intervalMillis',
      ),
    ],
  },
  { kind: 'heartRates', name: /^247ohr[-_]/, fields: [field('deviceDays')] },
  { kind: 'sleepResults', name: /^sleep_result/, fields: [field('sleepResult'), field('night')] },
  { kind: 'sleepScores', name: /^sleep_score/, fields: [field('sleepScoreResult')] },
  {
    kind: 'recoveries',
    name: /^nightly_recovery(?!_blob)/,
    fields: [
      field('night'),
      field('meanNightlyRecovery\\w+|beatToBeatAvg|heartRateVariabilityAvg'),
    ],
  },
  {
    kind: 'activity',
    name: /^activity-/,
    fields: [field('date'), field('stepCount|stepsDistance|metSources|mets')],
  },
  {
    kind: 'weights',
    name: /^calendar-items/,
    fields: [field('weights|physicalInformations'), field('perceivedRecovery|weight, kg')],
  },
]

/** A file with its kind. */
export interface PolarFile {
  file: ImportFile
  kind: PolarKind
}

/**
 * Returns the kind of a file.
 * @param isProven Whether the name is not enough: other exports have files that begin as these do.
 */
export async function kindOfFile(
  file: ImportFile,
  isProven: boolean,
): Promise<PolarKind | undefined> {
  const isAlone = file.path === ''
  if (!isAlone && !file.name.endsWith('.json')) return undefined
  const named = KINDS.find(({ name }) => name.test(file.name))
  if (named !== undefined && !isProven) return named.kind
  // A zip has thousands of files, of which those with other names are other things.
  if (named === undefined && !isAlone) return undefined
  const opening = (await file.opening()).toString('latin1')
  if (!/^(?:\xef\xbb\xbf)?\s*[[{]/.test(opening)) return undefined
  const candidates = named === undefined ? KINDS : [named]
  return candidates.find(({ fields }) => fields.every((one) => one.test(opening)))?.kind
}
