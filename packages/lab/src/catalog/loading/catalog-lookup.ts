import type { Catalog, CatalogLoinc } from './catalog-format.schema.ts'

/** The entry of that name; names that every object has, such as `constructor`, are not found. */
export function findEntry<T>(entries: Record<string, T> | undefined, key: string): T | undefined {
  return entries !== undefined && Object.hasOwn(entries, key) ? entries[key] : undefined
}

/** LOINC codes of the installation and of a catalog; the catalog's win. */
export function joinLoincs(
  { loincs = [] }: Catalog,
  known: readonly CatalogLoinc[],
): Map<string, CatalogLoinc> {
  return new Map([...known, ...loincs].map((loinc) => [loinc.code, loinc]))
}
