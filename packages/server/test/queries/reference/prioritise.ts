import type { ReferenceTarget } from './person-data.ts'
import type { ReferenceRow } from './reference-row.ts'
import type { WireConfig, WireTable } from './wire-query.ts'

/** docs/contract/09-aggregate.md#data-prioritisation, point 2. */
const SOURCE_TYPES = `lab automatic watch ring chest_strap scale cuff fingerprick manual_scan
  insulin_pump exercise_machine earphone phone app multiple_sources unknown`.split(/\s+/)

/**
 * Data types of team priorities (docs/contract/01-conventions.md#team-endpoints); the other tables
 * use none.
 */
const DATA_TYPES: Partial<Record<WireTable, string>> = {
  timeseries: 'timeseries',
  sleep: 'sleep',
  derived_readiness: 'sleep',
  activity: 'activity',
  workout: 'workouts',
  body: 'body',
}

/** From 0, the best; unknown types come last. */
export function sourceTypeRank(sourceType: string): number {
  const rank = SOURCE_TYPES.indexOf(sourceType)
  return rank === -1 ? SOURCE_TYPES.length : rank
}

/** Keeps the rows of a group that come from the one source that counts. */
export function keepOneSource(
  rows: readonly ReferenceRow[],
  table: WireTable,
  config: WireConfig,
  target: ReferenceTarget,
): ReferenceRow[] {
  const overrides = config.provider_priority_overrides ?? []
  const priorities = target.priorities[DATA_TYPES[table] ?? ''] ?? {}
  const groups = Map.groupBy(rows, ({ provider, sourceType }) => `${provider}\n${sourceType}`)
  const ranked = [...groups.values()].map((group) => {
    const { provider, sourceType } = group[0] as ReferenceRow
    const position = overrides.indexOf(provider)
    return {
      group,
      provider,
      /** The smaller wins, from the first number on. */
      rank: [
        position === -1 ? overrides.length : position,
        sourceTypeRank(sourceType),
        -(priorities[provider] ?? 0),
        -group.length,
      ],
    }
  })
  ranked.sort((a, b) => compareNumbers(a.rank, b.rank) || (a.provider < b.provider ? -1 : 1))
  return ranked[0]?.group ?? []
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, position) => number !== b[position])
  return at === -1 ? 0 : (a[at] as number) - (b[at] as number)
}
