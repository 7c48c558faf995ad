import type { ImportFile } from '../../files/import-files.ts'
import { readJsonOpening } from '../../files/json-opening.ts'

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
  /**
   * Outermost fields by which a file is known, `|` between those of two generations. Deeper fields
   * of other programs have the same names.
   */
  fields: readonly string[]
  /** What the opening has beside them. */
  trace?: RegExp
  /** Whether the file is a list of such objects. */
  isList?: true
}

/** Files of other kinds, such as those of the account, are never read. */
const KINDS: readonly Kind[] = [
  {
    kind: 'training',
    name: /^training-session[-_]/,
    fields: ['exercises'],
    trace:
      /"(?:durationMillis|time[zZ]oneOffset(?:Minutes)?|stopTime|hrAvg|kiloCalories|recordedRoute|wayPoints|intervalMillis)"\s*:/,
  },
  { kind: 'heartRates', name: /^247ohr[-_]/, fields: ['deviceDays'] },
  { kind: 'sleepResults', name: /^sleep_result/, fields: ['sleepResult', 'night'], isList: true },
  { kind: 'sleepScores', name: /^sleep_score/, fields: ['sleepScoreResult'], isList: true },
  {
    kind: 'recoveries',
    name: /^nightly_recovery(?!_blob)/,
    fields: ['night'],
    trace: /"(?:meanNightlyRecovery\w+|beatToBeatAvg|heartRateVariabilityAvg)"\s*:/,
    isList: true,
  },
  {
    kind: 'activity',
    name: /^activity-/,
    fields: ['date', 'summary|samples'],
    trace: /"(?:stepCount|stepsDistance|metSources|mets)"\s*:/,
  },
  {
    kind: 'weights',
    name: /^calendar-items/,
    fields: ['weights|physicalInformations'],
    trace: /"(?:perceivedRecovery|weight, kg)"\s*:/,
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
  const outer = readJsonOpening(opening.replace(/^\xef\xbb\xbf/, ''))
  if (outer === undefined) return undefined
  const candidates = named === undefined ? KINDS : [named]
  return candidates.find(({ fields, trace, isList = false }) => {
    const has = (names: string) => names.split('|').some((name) => outer.fields.has(name))
    return isList === outer.isList && fields.every(has) && trace?.test(opening) !== false
  })?.kind
}
