/** A compendium that changed the tests of a laboratory. */
export interface CompendiumLoadsTable {
  id: string
  lab_id: number
  loaded_at: Date
  /** Hash of the files and the mapping. */
  content_hash: Buffer
  added: number
  changed: number
  retired: number
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    compendium_loads: CompendiumLoadsTable
  }
}
