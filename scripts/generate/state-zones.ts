import { STATE_TIME_ZONES } from '@salus/kernel/geography/time-zones.registry'

/** Generates the zone of most of each state, for the console. */
export function describeStateZones(): string {
  const zones = Object.entries(STATE_TIME_ZONES)
    .map(([state, [zone]]) => `  ${state}: '${zone}',\n`)
    .join('')
  return `// generated from packages/kernel/src/geography/time-zones.registry.ts by scripts/generate.ts; do not edit

/** The IANA zone in which most of each state and territory is. */
export const STATE_ZONES: Readonly<Record<string, string>> = {
${zones}}
`
}
