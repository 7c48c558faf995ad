import { SERIES } from '@salus/contracts/series'
import { MERGED_SOURCES } from '../../packages/health/src/queries/tables/merged-sources.ts'
import { SERIES_SOURCES } from '../../packages/health/src/queries/tables/series-sources.ts'

/**
 * Generates the names of series in queries that the command line adds up, and of those that it
 * cannot read merged.
 */
export function describeCliSeries(): string {
  const names = SERIES.filter(({ merge }) => merge.kind === 'sum')
    .map(({ resource }) => `  '${resource}',\n`)
    .join('')
  const unmerged = [...SERIES_SOURCES.keys()]
    .filter((name) => !MERGED_SOURCES.has(name))
    .map((name) => `  '${name}',\n`)
    .join('')
  return `// generated from packages/contracts/src/series/series.registry.ts by scripts/generate.ts; do not edit

/** Series that are amounts, by their names in queries: they are added up, others have a mean. */
export const SUMMED_SERIES: ReadonlySet<string> = new Set([
${names}])

/** Series without a merged read: their samples are read as they are. */
export const UNMERGED_SERIES: ReadonlySet<string> = new Set([
${unmerged}])
`
}
