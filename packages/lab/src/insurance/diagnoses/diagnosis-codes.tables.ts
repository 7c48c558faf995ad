import type { NoteType } from './diagnoses.schema.ts'

/** Codes and headings of ICD-10-CM, for all environments. */
interface DiagnosisCodesTable {
  /** Upper case, without the dot. */
  code: string
  description: string
  /** Valid for claims; the others are headings. */
  is_billable: boolean
  /** May not be the first code. */
  is_secondary: boolean
  /** Of search results that match alike the lower one comes first. */
  precedence: number
  /** What a search by words finds, as a tsvector; null for headings. */
  words: string | null
}

/** Words of the descriptions. */
interface DiagnosisWordsTable {
  word: string
}

/** Notes at ranges of codes; both ends of a range hold all codes that begin like them. */
interface DiagnosisNotesTable {
  type: NoteType
  first_code: string
  last_code: string
  /** Null for code_first. */
  excluded_first: string | null
  excluded_last: string | null
  /** What an excluded code goes on with after its category. */
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
