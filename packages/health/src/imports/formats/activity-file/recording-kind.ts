import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { encodingOf } from '../../files/text.ts'

export type RecordingKind = 'fit' | 'tcx' | 'gpx'

const ROOTS: readonly (readonly [RegExp, RecordingKind])[] = [
  [/<(?:\w+:)?TrainingCenterDatabase[\s>]/, 'tcx'],
  [/<(?:\w+:)?gpx[\s>]/, 'gpx'],
]

const FIT_MAGIC = '.FIT'
const FIT_MAGIC_AT = 8
export const LEAST_HEADER = 12

/** Whether content begins like a FIT file. */
export const isFit = (opening: Buffer): boolean =>
  opening.toString('latin1', FIT_MAGIC_AT, LEAST_HEADER) === FIT_MAGIC &&
  [LEAST_HEADER, 14].includes(opening[0] ?? 0)

/** Returns the kind of a file by its content; undefined for other files. */
export async function kindOf(file: ImportFile): Promise<RecordingKind | undefined> {
  const opening = await file.opening()
  if (isFit(opening)) return 'fit'
  try {
    const text = new TextDecoder(encodingOf(opening)).decode(opening)
    return ROOTS.find(([pattern]) => pattern.test(text))?.[1]
  } catch (error) {
    if (error instanceof ImportFileError) return undefined
    throw error
  }
}
