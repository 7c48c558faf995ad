import { SERIES } from '../../packages/server/src/health/series/index.ts'

/** Which series the command line adds up: their names in queries. */
export function describeCliSeries(): string {
  const names = SERIES.filter(({ merge }) => merge.kind === 'sum')
    .map(({ resource }) => `  '${resource}',\n`)
    .join('')
  return `// generated from packages/server/src/health/series/series.registry.ts by scripts/generate.ts; do not edit

/** Series that are amounts, by their names in queries: they are added up, others have a mean. */
export const SUMMED_SERIES: ReadonlySet<string> = new Set([
${names}])
`
}
