import { HOUR_MS } from '@salus/contracts/time-units'
import { StartupError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { systemClock } from '../../time/clock.ts'
import type { ClusterServer } from './cluster-server.ts'
import { holdsPeople, makePlacementTable, readPlacements } from './cluster-tables.ts'
import { type Placement, slotsOf } from './placement.ts'

const PLACEMENT_DELAY_MS = HOUR_MS

export interface PlacementOptions {
  /** Proportion of new users for each shard; equal by default. */
  shares?: readonly number[] | undefined
  /**
   * Time until a new placement begins, in milliseconds: as much as the clocks of servers may
   * differ.
   */
  placementDelayMs?: number
  log?: Pick<Logger, 'info' | 'warn'>
}

interface DecisionOptions extends PlacementOptions {
  shards: number
  /** Whether all servers answer: one that does not would continue with the old placement. */
  isWhole: boolean
}

/**
 * Returns the placements that servers know, and a new one when the shards or their shares have
 * changed.
 */
export async function decidePlacements(
  servers: readonly ClusterServer[],
  { shards, shares, isWhole, placementDelayMs = PLACEMENT_DELAY_MS, log }: DecisionOptions,
): Promise<Placement[]> {
  const slots = slotsOf(shares ?? Array<number>(shards).fill(1))
  if (shares !== undefined && shares.length !== shards) {
    throw new StartupError(`CLICKHOUSE_SHARES must have ${shards} numbers, one for each shard.`)
  }
  const known = new Map<number, Placement>()
  const holding = new Set<number>()
  for (const server of servers) {
    await makePlacementTable(server)
    for (const placement of await readPlacements(server)) known.set(placement.since, placement)
    if (await holdsPeople(server)) holding.add(server.shard - 1)
  }
  const placements = [...known.values()].toSorted((a, b) => a.since - b.since)
  refuseFewerShards(placements, shards)
  if (placements.length === 0) placements.push({ since: 0, slots: firstSlots(holding, slots) })
  if (String(placements.at(-1)?.slots) === String(slots)) return placements
  if (!isWhole) {
    log?.warn({ shards }, 'shards are used otherwise when all ClickHouse servers answer at a start')
    return placements
  }
  const since = systemClock.now().getTime() + placementDelayMs
  log?.info({ shards, from: new Date(since) }, 'people made from then on are placed on shards anew')
  return [...placements, { since, slots }]
}

/** Refuses a missing shard, because the engine would search for its users on another one. */
function refuseFewerShards(placements: readonly Placement[], shards: number): void {
  const before = Math.max(0, ...placements.flatMap(({ slots }) => slots)) + 1
  if (before <= shards) return
  throw new StartupError(
    `The ClickHouse cluster had ${before} shards, and remote_servers names ${shards} now. A shard cannot be removed ` +
      'while it holds users: add it again.',
  )
}

/** A server that worked alone becomes a shard: its users stay on it. */
function firstSlots(holding: ReadonlySet<number>, slots: readonly number[]): readonly number[] {
  const [only, ...more] = holding
  if (only === undefined) return slots
  if (more.length === 0) return [only]
  throw new StartupError(
    'Several ClickHouse servers of the cluster hold data, and no record says which user is on which server. Start with only one that holds data.',
  )
}
