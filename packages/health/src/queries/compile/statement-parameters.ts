import { PROVIDERS } from '@salus/contracts/providers'
import { DAY_MS } from '@salus/contracts/time-units'
import type { QueryParameters } from '@salus/kernel/clickhouse/clickhouse'
import { fallbackZoneParameters } from '@salus/kernel/clickhouse/local-time-sql'
import type { QueryTarget, Window } from '../compiled-query.ts'
import { EPOCH_LOCAL_MS } from '../tables/floating-sql.ts'
import type { QuerySource } from '../tables/query-source.ts'

type Value = QueryParameters[string]

/** Collects the values of a statement: client input is never part of the SQL. */
export class StatementParameters {
  readonly #values: Record<string, Value>

  constructor(values: QueryParameters) {
    this.#values = { ...values }
  }

  /** Binds a value and returns its SQL. */
  bind(value: Value, type: 'String' | 'Float64' | 'Int64' | 'Bool'): string {
    const name = `given${Object.keys(this.#values).length}`
    this.#values[name] = value
    return `{${name}:${type}}`
  }

  get values(): QueryParameters {
    return this.#values
  }
}

/** Local times are at most this far from UTC. */
const MOST_OFFSET_MS = DAY_MS
/** From 1900 to 2200, where the engine's times are exact. */
const FIRST_INSTANT_MS = -2_208_988_800_000
const LAST_INSTANT_MS = 7_258_118_400_000

const clampInstant = (instant: number): number =>
  Math.min(Math.max(instant, FIRST_INSTANT_MS), LAST_INSTANT_MS)

/**
 * Returns the parameters of the SQL of sources; a statement is given all and uses those it names.
 * @param sources If all find their rows by an instant, no other one needs an offset.
 */
export function sourceParameters(
  window: Window,
  target: QueryTarget,
  sources: readonly QuerySource[],
): QueryParameters {
  const instants = {
    from: clampInstant(window.from - MOST_OFFSET_MS),
    to: clampInstant(window.to + MOST_OFFSET_MS),
  }
  const isOfInstants = sources.every(({ relation }) => relation.instantKey !== null)
  const { devices, providerPriorities, overrides } = target
  const named = [...overrides, ...providerPriorities.keys(), ...devices.keys()]
  // Sorted, so that positions of providers are the order of their slugs.
  const known = [...new Set([...PROVIDERS.map(({ slug }) => slug), ...named])].sort()
  return {
    environmentId: target.environmentId,
    userId: target.userId,
    ...fallbackZoneParameters(target.fallbackZone, isOfInstants ? instants : undefined),
    deviceProviders: [...devices.keys()],
    deviceIds: [...devices.values()],
    knownProviders: known,
    unknownProvider: known.length + 1,
    // One for each known provider, and one for all others.
    providerOverrides: [...known.map((slug) => overrideRank(overrides, slug)), overrides.length],
    providerPriorities: [...known.map((slug) => providerPriorities.get(slug) ?? 0), 0],
    fromLocalMs: window.from + EPOCH_LOCAL_MS,
    toLocalMs: window.to + EPOCH_LOCAL_MS,
    fromInstant: instants.from,
    toInstant: instants.to,
  }
}

/** Counted from 0 for the most preferred; providers without an override come last. */
function overrideRank(overrides: readonly string[], slug: string): number {
  const rank = overrides.indexOf(slug)
  return rank === -1 ? overrides.length : rank
}
