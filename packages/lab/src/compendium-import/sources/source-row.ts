/** A row of a table in a file. */
export interface SourceRow {
  /** Where it is, such as `tests.csv, line 12`. */
  place: string
  /** Returns a cell without spaces around it; '' for one that is not there. */
  cell: (column: string) => string
  /** What is wrong with the row as a whole. */
  problem?: string
}

/** A file of a compendium as it was sent. */
export interface CompendiumFile {
  name: string
  content: Buffer
}

/** The rows of a file, and its columns where they are known. */
export interface SourceTable {
  rows: SourceRow[]
  /** Undefined where any column may be read, as in messages of HL7. */
  columns: ReadonlySet<string> | undefined
}
