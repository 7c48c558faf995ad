import type { Scope } from '@salus/kernel/scope'
import type { FhirResource } from '../../resources/index.ts'
import { isServedType, RESOURCE_TYPES } from '../resource-types.registry.ts'
import { type Served, type ServedType, SOURCES, type Source } from '../served/sources.ts'
import { referencesOf, valuesAt } from './element-values.ts'
import type { Search } from './search-types.ts'

/** Ids of one statement. */
const IDS_AT_ONCE = 500

/** Reads the resources that `_include` adds to a page, each once, without those of the page. */
export async function readIncluded(
  scope: Scope,
  { type, includes }: Search,
  found: readonly FhirResource[],
): Promise<FhirResource[]> {
  const shown = new Set(found.map((one) => `${one.resourceType}/${one.id}`))
  const wanted = new Map<ServedType, Set<string>>()
  for (const { parameter } of includes) {
    const paths = RESOURCE_TYPES[type].parameters[parameter]?.paths ?? []
    for (const reference of found.flatMap((one) =>
      paths.flatMap((path) => valuesAt(one, path)).flatMap(referencesOf),
    )) {
      const [target = '', id = ''] = reference.split('/')
      if (shown.has(reference) || !isServedType(target)) continue
      wanted.set(target, (wanted.get(target) ?? new Set()).add(id))
    }
  }
  const included: FhirResource[] = []
  for (const [target, ids] of wanted) included.push(...(await readByIds(scope, target, [...ids])))
  return included
}

/** Returns resources by their ids; unknown ones and those of other environments are left out. */
export async function readByIds(
  scope: Scope,
  type: ServedType,
  ids: readonly string[],
): Promise<FhirResource[]> {
  const wanted = new Set(ids)
  const found: FhirResource[] = []
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const part = ids.slice(start, start + IDS_AT_ONCE)
    for (const source of SOURCES[type] as readonly Source[]) {
      const page = { order: 'id', after: null, limit: part.length } as const
      const rows: Served[] = await source.list(scope, { ids: part }, page)
      found.push(...rows.flatMap(({ resources }) => resources.filter(({ id }) => wanted.has(id))))
    }
  }
  return found
}
