import { SOURCE_TYPES_BY_RANK, type SourceType } from '@salus/contracts/series'

/** What identifies one source of a user's data; an unknown app is empty. */
export interface RankedSource {
  provider: string
  sourceType: string
  appId: string
}

/** What decides between sources, level by level; higher wins at each. */
export interface RankLevels {
  /** As `preference`. */
  request: number
  person: number
  /** Of the resource, then of the data type. */
  team: number
  /** By source type. */
  kind: number
}

/** Ranking of sources that have data for the same time. */
export interface SourceRanking {
  levels(source: RankedSource): RankLevels
  /** Higher wins, before any rank: set for providers that a request prefers; 0 for all others. */
  preference(source: RankedSource): number
  /** Higher wins. `compare` orders sources of equal rank. */
  rank(source: RankedSource): number
  /**
   * Negative when `a` wins: by preference and rank, then by provider slug, source type and app id.
   * Never 0 for two sources.
   */
  compare(a: RankedSource, b: RankedSource): number
}

/** A priority for some sources; null means any. Higher wins, 0 is the default. */
export interface PriorityRule {
  provider: string
  sourceType: string | null
  appId: string | null
  priority: number
  /** The more specific of two rules for one source holds. */
  specificity: number
}

/** Rules by level. A level decides only between sources that are equal at all levels before it. */
interface RankingRules {
  /** Rules of the user. */
  user: readonly PriorityRule[]
  /** Rules of the team for this resource. */
  teamResource: readonly PriorityRule[]
  /** Rules of the team for the whole data type. */
  teamDataType: readonly PriorityRule[]
  /** Providers that precede all others, highest first. */
  preferred?: readonly string[]
}

/** Bounds of a priority, so that three levels and the source type fit one exact number. */
export const LEAST_PRIORITY = -10_000
export const MOST_PRIORITY = 10_000

const PRIORITY_STEPS = MOST_PRIORITY - LEAST_PRIORITY + 1
const TYPE_RANKS: ReadonlyMap<string, number> = new Map(
  SOURCE_TYPES_BY_RANK.map((type: SourceType, index) => [
    type,
    SOURCE_TYPES_BY_RANK.length - index,
  ]),
)
const TYPE_STEPS = SOURCE_TYPES_BY_RANK.length + 1

function priorityOf(rules: readonly PriorityRule[], source: RankedSource): number {
  let found: PriorityRule | undefined
  for (const rule of rules) {
    if (rule.provider !== source.provider) continue
    if (rule.sourceType !== null && rule.sourceType !== source.sourceType) continue
    if (rule.appId !== null && rule.appId !== source.appId) continue
    if (found === undefined || rule.specificity > found.specificity) found = rule
  }
  return found?.priority ?? 0
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Ranks sources by the preference of the request, the user's rules, the team's for the resource,
 * the team's for the data type, then the source type (SOURCE_TYPES_BY_RANK). A source without a
 * rule has priority 0 at that level.
 */
export function createRanking(rules: RankingRules): SourceRanking {
  const { preferred = [] } = rules
  const preference = ({ provider }: RankedSource): number => {
    const position = preferred.indexOf(provider)
    return position === -1 ? 0 : preferred.length - position
  }
  const known = new Map<string, RankLevels & { rank: number }>()
  const levels = (source: RankedSource): RankLevels & { rank: number } => {
    const key = `${source.provider}\t${source.sourceType}\t${source.appId}`
    let found = known.get(key)
    if (found === undefined) {
      const [person, resource, dataType] = [rules.user, rules.teamResource, rules.teamDataType].map(
        (level) => priorityOf(level, source),
      ) as [number, number, number]
      const team = resource * PRIORITY_STEPS + dataType
      const kind = TYPE_RANKS.get(source.sourceType) ?? 0
      const rank = (person * PRIORITY_STEPS ** 2 + team) * TYPE_STEPS + kind
      found = { request: preference(source), person, team, kind, rank }
      known.set(key, found)
    }
    return found
  }
  const rank = (source: RankedSource): number => levels(source).rank
  const compare = (a: RankedSource, b: RankedSource): number =>
    preference(b) - preference(a) ||
    rank(b) - rank(a) ||
    compareTexts(a.provider, b.provider) ||
    compareTexts(a.sourceType, b.sourceType) ||
    compareTexts(a.appId, b.appId)
  return { levels, preference, rank, compare }
}

/** The ranking without any priority: by source type. */
export const DEFAULT_RANKING: SourceRanking = createRanking({
  user: [],
  teamResource: [],
  teamDataType: [],
})
