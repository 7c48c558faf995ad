/** What was loaded last of each source, so that a start need not load it again. */
export interface CatalogLoadsTable {
  source: string
  content_hash: Buffer
  loaded_at: Date
}

declare module '../../../platform/postgres/database.ts' {
  interface Database {
    catalog_loads: CatalogLoadsTable
  }
}
