import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One result as printed; null for what is not printed or not certain. */
export interface TruthRow {
  name: string
  value: string
  unit: string | null
  reference_range: string | null
  flag: string | null
  /** Computed from the printed value and the printed range. */
  interpretation: 'low' | 'normal' | 'high' | null
  loinc: string | null
  /** Codes that are also correct, for example without the method. */
  loinc_also_accept?: string[]
  /** Other values that are also correct, such as the category beside a concentration. */
  value_also?: string[]
  /** Other units that are also correct; null for none. */
  unit_any?: (string | null)[]
  /** Whether the result may be left out. */
  optional?: boolean
  panel?: string | null
  sample_type?: string
}

/** Fields of the header, as printed; missing ones are not scored. */
export interface TruthHeader {
  patient_first_name?: string | null
  patient_last_name?: string | null
  dob?: string | null
  gender?: string | null
  lab_name?: string | null
  date_reported?: string | null
  date_collected?: string | null
  specimen_number?: string | null
}

/** A document with its truth. A document without rows is not a laboratory report. */
export interface JudgedDocument {
  file: string
  bytes: Uint8Array
  rows: TruthRow[]
  header: TruthHeader
}

/**
 * Reads a folder of `<file>` and `<file>.truth.json`, a list of rows; `<file>.header.json` may
 * contain fields of the header. Documents without truth are left out.
 */
export function* readDocuments(directory: string): Generator<JudgedDocument> {
  for (const file of readdirSync(directory).sort()) {
    const path = join(directory, file)
    if (!existsSync(`${path}.truth.json`)) continue
    const header = `${path}.header.json`
    yield {
      file,
      bytes: new Uint8Array(readFileSync(path)),
      rows: JSON.parse(readFileSync(`${path}.truth.json`, 'utf8')),
      header: existsSync(header) ? JSON.parse(readFileSync(header, 'utf8')) : {},
    }
  }
}
