export type { DataType } from './data-types.ts'
export {
  describePriorities,
  findProviderPriorities,
  findSourceRanking,
  findSourceRankings,
} from './find-source-ranking.ts'
export { priorityVersionsSql } from './source-priorities.repository.ts'
export { registerSourcePriorityRoutes } from './source-priorities.routes.ts'
export { TeamPriorityChanges, UserSourcePrioritiesInput } from './source-priorities.schema.ts'
export {
  type PriorityListener,
  readTeamChanges,
  readUserRules,
} from './source-priorities.service.ts'
export {
  createRanking,
  DEFAULT_RANKING,
  type RankedSource,
  type SourceRanking,
} from './source-ranking.ts'
