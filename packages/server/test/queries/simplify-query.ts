import type { WireQuery } from './reference/wire-query.ts'

/** Queries that are a little simpler, each by one part. They may be wrong, or another question. */
function simplerQueries(query: WireQuery): WireQuery[] {
  const { select, group_by = [], where, align, split_by_source } = query
  const without = <T>(list: readonly T[], at: number): T[] => list.toSpliced(at, 1)
  const found: WireQuery[] = []
  if (align !== undefined) found.push({ ...query, align: undefined })
  if (where !== undefined) {
    found.push({ ...query, where: undefined })
    const parts = typeof where === 'string' ? where.split(/ and | or /i) : []
    for (const part of parts) if (part !== where) found.push({ ...query, where: part })
  }
  if (split_by_source !== undefined) found.push({ ...query, split_by_source: undefined })
  for (const at of select.keys()) found.push({ ...query, select: without(select, at) })
  for (const at of group_by.keys()) found.push({ ...query, group_by: without(group_by, at) })
  return found.filter((simpler) => simpler.select.length > 0)
}

/** The simplest query that still fails, going on from one that does. */
export async function simplifyQuery(
  query: WireQuery,
  fails: (query: WireQuery) => Promise<boolean>,
): Promise<WireQuery> {
  for (const simpler of simplerQueries(query)) {
    if (await fails(simpler)) return simplifyQuery(simpler, fails)
  }
  return JSON.parse(JSON.stringify(query)) as WireQuery
}
