import { SERIES } from '@salus/contracts/series'

/** Generates what the console shows of series where columns of a table are mapped to them. */
export function describeConsoleSeries(): string {
  const rows = SERIES.filter(({ deprecated }) => !deprecated).map((series) => {
    const { name, shape, valueKind, units, unitsByType = {}, types } = series
    const tables = [units, ...Object.values(unitsByType)]
    const labels = [...new Set(tables.flatMap((table) => Object.keys(table)))]
    return {
      name,
      units: valueKind === 'text' ? [] : labels,
      types: types === null ? null : { isRequired: types.required, allowed: types.allowed ?? null },
      isPressure: shape === 'blood_pressure',
    }
  })
  return `// generated from packages/contracts/src/series/series.registry.ts by scripts/generate.ts; do not edit

export interface MappableSeries {
  name: string
  /** Accepted labels; none for a text. */
  units: readonly string[]
  /** Null without types; \`allowed\` is null where any text is a type. */
  types: { isRequired: boolean; allowed: readonly string[] | null } | null
  /** Whether it has a systolic and a diastolic value. */
  isPressure: boolean
}

export const MAPPABLE_SERIES: readonly MappableSeries[] = ${JSON.stringify(rows)}
`
}
