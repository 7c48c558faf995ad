import { SERIES } from '@salus/contracts/series'

/** Generates the names of series for the MCP server, by whether their sources can be merged. */
export function describeMcpSeries(): string {
  const list = (isMerged: boolean) =>
    SERIES.filter(({ merge }) => (merge.kind !== 'none') === isMerged)
      .map(({ name }) => `  '${name}',\n`)
      .join('')
  return `// generated from packages/contracts/src/series/series.registry.ts by scripts/generate.ts; do not edit

/** Series whose sources can be merged into one. */
export const MERGED_SERIES = [
${list(true)}] as const

/** The others, which are read by source. */
export const UNMERGED_SERIES = [
${list(false)}] as const
`
}
