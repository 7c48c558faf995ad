import type { NoteType } from './diagnoses.schema.ts'

/** Codes and headings of ICD-10-CM, for all environments. */
interface DiagnosisCodesTable {
  /** Upper case, without the dot. */
  code: string
  description: string
  /** Whether the code is valid for claims; the others are headings. */
  is_billable: boolean
  /** Whether the code may not be the first diagnosis. */
  is_secondary: boolean
  /** Among equal matches of a search, the lower precedence comes first. */
  precedence: number
  /** Search words as a tsvector; null for headings. */
  words: string | null
}

/** The distinct words of the descriptions. */
interface DiagnosisWordsTable {
  word: string
}

/** Notes for ranges of codes; both ends of a range include all codes that begin with them. */
interface DiagnosisNotesTable {
  type: NoteType
  first_code: string
  last_code: string
  /** Null for code_first. */
  excluded_first: string | null
  excluded_last: string | null
  /** Continuation of an excluded code after its category. */
  excluded_detail: string
}

interface DiagnosisLoadsTable {
  source: string
  content_hash: Buffer
  loaded_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    diagnosis_codes: DiagnosisCodesTable
    diagnosis_words: DiagnosisWordsTable
    diagnosis_notes: DiagnosisNotesTable
    diagnosis_loads: DiagnosisLoadsTable
  }
}
