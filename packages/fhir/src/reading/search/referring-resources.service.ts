import { badRequest } from '@salus/kernel/errors'
import { isUuid } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import type { FhirResource } from '../../resources/index.ts'
import { RESOURCE_TYPES } from '../resource-types.registry.ts'
import { provenanceIdOf } from '../served/provenance.ts'
import type { RowFilter, RowPosition } from '../served/row-page.ts'
import { orderOfResult } from '../served/served-resources.ts'
import { SOURCES, type Source } from '../served/sources.ts'
import { referencesOf, valuesAt } from './element-values.ts'
import { readByIds } from './included-resources.service.ts'
import type { ReverseInclude, Search } from './search-types.ts'

const BATCH = 500
/** Resources that one page may add. */
const MOST_REFERRING = 5_000

/**
 * Reads the resources that refer to those of a page, as `_revinclude` asks.
 * @throws AppError 400 `search_too_large`
 */
export async function readReferring(
  scope: Scope,
  { reverseIncludes }: Search,
  found: readonly FhirResource[],
): Promise<FhirResource[]> {
  const referring: FhirResource[] = []
  for (const include of reverseIncludes) {
    if (include.type === 'Provenance') {
      const ids = found.flatMap((one) => provenanceIdOf(`${one.resourceType}/${one.id}`) ?? [])
      referring.push(...(await readByIds(scope, 'Provenance', ids)))
      continue
    }
    for (const filter of filtersOf(found)) {
      referring.push(...(await listReferring(scope, include, filter, found)))
      if (referring.length > MOST_REFERRING) {
        throw badRequest('search_too_large', 'Too many resources refer to those of the page.')
      }
    }
  }
  return referring
}

/** All other references are those of a patient, or follow from the order of both resources. */
function filtersOf(found: readonly FhirResource[]): RowFilter[] {
  if (found.length === 0) return []
  if (found[0]?.resourceType === 'Patient') return found.map(({ id }) => ({ userId: id }))
  const orderIds = found.map(({ id }) => orderOfResult(id) ?? id).filter((id) => isUuid(id))
  return [{ orderIds: [...new Set(orderIds)] }]
}

async function listReferring(
  scope: Scope,
  { type, parameter }: ReverseInclude,
  filter: RowFilter,
  found: readonly FhirResource[],
): Promise<FhirResource[]> {
  const targets = new Set(found.map(({ resourceType, id }) => `${resourceType}/${id}`))
  const paths = RESOURCE_TYPES[type].parameters[parameter]?.paths ?? []
  const refers = (one: FhirResource) =>
    paths
      .flatMap((path) => valuesAt(one, path))
      .flatMap(referencesOf)
      .some((to) => targets.has(to))
  const sources: readonly Source[] = SOURCES[type]
  const referring: FhirResource[] = []
  for (const source of sources.filter(({ needsPatient }) => !needsPatient)) {
    let after: RowPosition | null = null
    for (;;) {
      const rows = await source.list(scope, filter, { order: 'oldest', after, limit: BATCH })
      referring.push(...rows.flatMap(({ resources }) => resources).filter(refers))
      const last = rows.at(-1)
      if (last === undefined || rows.length < BATCH || referring.length > MOST_REFERRING) break
      after = { at: last.at, id: last.id }
    }
  }
  return referring
}
