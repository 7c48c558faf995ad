/** What a row of a report needs to be judged by. */
interface NamedRow {
  key: string
  read: { loinc_match_status: string | null; test_name: string | null } | null
  changes: { test_name?: string | null | undefined }
  isRemoved: boolean
}

/** A one that was read as a letter: `HbAlc`, `Hemoglobin Alc`, `Vitamin Bl2`. */
const MISREAD = /(?<![a-z])(?:Hb)?A[lI|]c\b|\d[lI|](?![\p{L}])|(?<!\p{Ll})[lI|]\d/u

/**
 * Whether a letter of a name as it is printed was probably a digit. The catalog may know what was
 * meant all the same.
 */
export const looksMisread = (name: string): boolean => MISREAD.test(name)

/**
 * Keys of rows whose name no catalog knows, or was misread, such as `HbAlc`, until a person has
 * written it anew.
 */
export const findUnknownNames = (rows: readonly NamedRow[]): string[] =>
  rows
    .filter(({ read, changes, isRemoved }) => {
      if (read === null || isRemoved || changes.test_name !== undefined) return false
      return read.loinc_match_status === 'no_match' || looksMisread(read.test_name ?? '')
    })
    .map(({ key }) => key)
