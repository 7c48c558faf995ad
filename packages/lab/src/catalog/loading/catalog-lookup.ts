import type { Catalog, CatalogLoinc } from './catalog-format.schema.ts'

/** Returns the entry with a name. Inherited names such as `constructor` are not found. */
export function findEntry<T>(entries: Record<string, T> | undefined, key: string): T | undefined {
  return entries !== undefined && Object.hasOwn(entries, key) ? entries[key] : undefined
}

/** Joins the LOINC codes of the installation with those of a catalog, which take precedence. */
export function joinLoincs(
  { loincs = [] }: Catalog,
  known: readonly CatalogLoinc[],
): Map<string, CatalogLoinc> {
  return new Map([...known, ...loincs].map((loinc) => [loinc.code, loinc]))
}
