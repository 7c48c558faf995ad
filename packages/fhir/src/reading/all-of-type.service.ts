import type { Scope } from '@salus/kernel/scope'
import type { FhirResource } from '../resources/index.ts'
import { listUserIds } from './served/person-rows.repository.ts'
import type { RowFilter, RowPosition } from './served/row-page.ts'
import { type ServedType, SOURCES, type Source } from './served/sources.ts'

/** Rows, and people, that are read at once. */
const BATCH = 500

/**
 * Yields all resources of a type in the environment, some at a time, in the order of their ids.
 * @param since Leaves out what did not change since then.
 */
export async function* listAllOfType(
  scope: Scope,
  type: ServedType,
  since: Date | null,
): AsyncGenerator<FhirResource[]> {
  const filter = since === null ? {} : { since: since.getTime() }
  for (const source of SOURCES[type] as readonly Source[]) {
    if (!source.needsPatient) {
      yield* listOfSource(scope, source, filter, 'id')
      continue
    }
    let after: string | null = null
    for (;;) {
      const people: string[] = await listUserIds(scope, after, BATCH)
      for (const userId of people) {
        yield* listOfSource(scope, source, { ...filter, userId }, 'oldest')
      }
      after = people.at(-1) ?? null
      if (people.length < BATCH) break
    }
  }
}

async function* listOfSource(
  scope: Scope,
  source: Source,
  filter: RowFilter,
  order: 'id' | 'oldest',
): AsyncGenerator<FhirResource[]> {
  let after: RowPosition | null = null
  for (;;) {
    const rows = await source.list(scope, filter, { order, after, limit: BATCH })
    const resources = rows.flatMap((row) => row.resources)
    if (resources.length > 0) yield resources
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = { at: last.at, id: last.id }
  }
}
