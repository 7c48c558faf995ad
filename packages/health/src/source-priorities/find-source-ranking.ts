import { findSeries } from '@salus/contracts/series'
import type { Scope } from '@salus/kernel/scope'
import { DATA_TYPES, type DataType } from './data-types.ts'
import type { TeamPriorityRow, UserPriorityRow } from './source-priorities.repository.ts'
import * as repository from './source-priorities.repository.ts'
import { createRanking, type PriorityRule, type SourceRanking } from './source-ranking.ts'

/** Returns the data type of a resource; `timeseries` for a series. */
function dataTypeOf(resource: string): DataType | undefined {
  if (findSeries(resource) !== undefined) return 'timeseries'
  return DATA_TYPES.find((dataType) => dataType === resource)
}

/** Returns the same text for rules of the team about the same sources. */
export const keyOf = ({ data_type, provider, resource, source_type }: TeamPriorityRow): string =>
  [data_type, provider, resource, source_type].join('\t')

const teamRule = ({ provider, source_type, priority }: TeamPriorityRow): PriorityRule => ({
  provider,
  sourceType: source_type || null,
  appId: null,
  priority,
  specificity: source_type === '' ? 0 : 1,
})

/**
 * Of two rules the one with the narrower resource holds, then the one with an app, then the one
 * with a source type.
 */
const userRule = (row: UserPriorityRow, resource: string): PriorityRule => ({
  provider: row.provider,
  sourceType: row.source_type || null,
  appId: row.app_id || null,
  priority: row.priority,
  specificity:
    (row.resource === resource ? 8 : row.resource === '' ? 0 : 4) +
    (row.app_id === '' ? 0 : 2) +
    (row.source_type === '' ? 0 : 1),
})

/** Rules instead of those that are stored. */
interface PriorityProposal {
  /** All rules of the user; undefined keeps those that are stored. */
  ofUser?: readonly UserPriorityRow[]
  /** Rules of the team; those that are not in it keep their stored value. */
  ofTeam?: readonly TeamPriorityRow[]
}

/**
 * Returns the source ranking of a user for each resource (read name of a series, or data type). The
 * first that differs decides: the user's most specific rule; the team's rule for the series; the
 * team's for the data type; the source type (SOURCE_TYPES_BY_RANK); the alphabet.
 * @param preferred Slugs of providers that precede all others, highest first.
 */
export async function findSourceRankings(
  scope: Scope,
  userId: string,
  resources: readonly string[],
  preferred: readonly string[] = [],
  proposal: PriorityProposal = {},
): Promise<Map<string, SourceRanking>> {
  const [storedOfUser, storedOfTeam] = await Promise.all([
    repository.listUserPriorities(scope, userId),
    repository.listTeamPriorities(scope, undefined),
  ])
  const ofUser = proposal.ofUser ?? storedOfUser
  const ofTeam = [
    ...new Map([...storedOfTeam, ...(proposal.ofTeam ?? [])].map((row) => [keyOf(row), row])),
  ].map(([, row]) => row)
  return new Map(
    resources.map((resource) => {
      const dataType = dataTypeOf(resource)
      const ofDataType = ofTeam.filter((row) => row.data_type === dataType)
      const about = ['', resource, dataType]
      const ranking = createRanking({
        user: ofUser
          .filter((row) => about.includes(row.resource))
          .map((row) => userRule(row, resource)),
        teamResource: ofDataType.filter((row) => row.resource === resource).map(teamRule),
        teamDataType: ofDataType.filter((row) => row.resource === '').map(teamRule),
        preferred,
      })
      return [resource, ranking] as const
    }),
  )
}

/** Like findSourceRankings, for one resource. */
export async function findSourceRanking(
  scope: Scope,
  userId: string,
  resource: string,
  proposal?: PriorityProposal,
): Promise<SourceRanking> {
  const rankings = await findSourceRankings(scope, userId, [resource], [], proposal)
  return rankings.get(resource) as SourceRanking
}

/**
 * Returns the team's priorities of providers for a data type, by slug; a missing provider has 0.
 * Priorities for single series or source types are not included.
 */
export async function findProviderPriorities(
  scope: Scope,
  dataType: DataType,
): Promise<ReadonlyMap<string, number>> {
  const rows = await repository.listTeamPriorities(scope, dataType)
  const whole = rows.filter((row) => row.resource === '' && row.source_type === '')
  return new Map(whole.map(({ provider, priority }) => [provider, priority]))
}

/**
 * Returns everything that decides about the sources of a user for a data type as one text, to
 * detect changes.
 */
export async function describePriorities(
  scope: Scope,
  userId: string,
  dataType: DataType,
): Promise<string> {
  const [ofUser, ofTeam] = await Promise.all([
    repository.listUserPriorities(scope, userId),
    repository.listTeamPriorities(scope, dataType),
  ])
  const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
  return JSON.stringify([inOrder(ofUser), inOrder(ofTeam)])
}
