import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One result as it is printed; null where nothing is printed, or nothing is certain. */
export interface TruthRow {
  name: string
  value: string
  unit: string | null
  reference_range: string | null
  flag: string | null
  /** Computed from the printed value and the printed range. */
  interpretation: 'low' | 'normal' | 'high' | null
  loinc: string | null
  /** Codes that are as right, for instance without the method. */
  loinc_also_accept?: string[]
  /** Other wordings of the value that are as right, such as the category beside a concentration. */
  value_also?: string[]
  /** Other units that are as right, null for none. */
  unit_any?: (string | null)[]
  /** May be read as a result, and may be left out. */
  optional?: boolean
  panel?: string | null
  sample_type?: string
}

/** Facts of the head, as printed; what is absent is not judged. */
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

/** A document and what stands in it. A document without rows is no laboratory report. */
export interface JudgedDocument {
  file: string
  bytes: Uint8Array
  rows: TruthRow[]
  header: TruthHeader
}

/**
 * Reads a folder of `<file>` and `<file>.truth.json`, a list of rows; facts of the head may stand
 * in `<file>.header.json`. Documents without truth are left out.
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
