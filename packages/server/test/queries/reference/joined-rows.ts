import type { Meaning } from './expressions.ts'
import type { Frame } from './question.ts'
import type { ReferenceRow, Scalar } from './reference-row.ts'

/** A row of several series: one sample of each that has one there. */
export interface JoinedRow {
  index: number
  rows: Map<string | null, ReferenceRow>
}

/**
 * docs/contract/09-aggregate.md#tables-and-columns: samples of several series are joined on time,
 * provider and source type.
 */
export function joinFrames(frames: readonly Frame[]): JoinedRow[] {
  const joined = new Map<string, JoinedRow[]>()
  for (const { series, rows } of frames) {
    const byKey = Map.groupBy(rows, ({ index, provider, sourceType }) =>
      JSON.stringify([index, provider, sourceType]),
    )
    for (const [key, own] of byKey) {
      const before = joined.get(key) ?? [{ index: own[0]?.index ?? 0, rows: new Map() }]
      joined.set(
        key,
        before.flatMap(({ index, rows }) =>
          own.map((row) => ({ index, rows: new Map([...rows, [series, row]]) })),
        ),
      )
    }
  }
  return [...joined.values()].flat().sort((a, b) => a.index - b.index)
}

export function valueInJoined({ series, valueIn }: Meaning, { rows }: JoinedRow): Scalar {
  const row = series === null ? [...rows.values()][0] : rows.get(series)
  return row === undefined ? null : valueIn(row)
}
