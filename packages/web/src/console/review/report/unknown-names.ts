/** Fields of a row that a check of its name needs. */
interface NamedRow {
  key: string
  read: { loinc_match_status: string | null; test_name: string | null } | null
  changes: { test_name?: string | null | undefined }
  isRemoved: boolean
}

/** A digit 1 that was read as a letter: `HbAlc`, `Hemoglobin Alc`, `Vitamin Bl2`. */
const MISREAD = /(?<![a-z])(?:Hb)?A[lI|]c\b|\d[lI|](?![\p{L}])|(?<!\p{Ll})[lI|]\d/u

/**
 * Returns whether a letter of a printed name was probably a digit. The catalog may recognize the
 * name all the same.
 */
export const looksMisread = (name: string): boolean => MISREAD.test(name)

/**
 * Returns the keys of rows whose name is not in the catalog, or was misread, such as `HbAlc`, until
 * a reviewer has corrected it.
 */
export const findUnknownNames = (rows: readonly NamedRow[]): string[] =>
  rows
    .filter(({ read, changes, isRemoved }) => {
      if (read === null || isRemoved || changes.test_name !== undefined) return false
      return read.loinc_match_status === 'no_match' || looksMisread(read.test_name ?? '')
    })
    .map(({ key }) => key)
