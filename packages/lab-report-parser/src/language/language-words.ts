export type ColumnKind = 'test' | 'result' | 'unit' | 'reference' | 'flag' | 'method' | 'previous'
export type HeaderLabel =
  | 'patient'
  | 'firstName'
  | 'lastName'
  | 'dateOfBirth'
  | 'age'
  | 'gender'
  | 'ageAndGender'
  | 'laboratory'
  | 'collected'
  | 'received'
  | 'reported'
  | 'date'
  | 'specimenNumber'
  | 'patientNumber'
  | 'physician'

/**
 * The words of one language, in lower case and without accents; the more specific may stand
 * anywhere.
 */
export interface LanguageWords {
  columns: Readonly<Record<ColumnKind, readonly string[]>>
  header: Readonly<Partial<Record<HeaderLabel, readonly string[]>>>
  normal: readonly string[]
  high: readonly string[]
  low: readonly string[]
  abnormal: readonly string[]
  critical: readonly string[]
  positive: readonly string[]
  negative: readonly string[]
  male: readonly string[]
  female: readonly string[]
  /** Headings over groups of results. */
  sections: readonly string[]
}

/** Words of a text that has semicolons between them. */
export const list = (text: string): string[] =>
  text.split(';').map((word) => word.trim().replace(/\s+/g, ' '))
