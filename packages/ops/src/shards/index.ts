export { measureShards, type RunContext, type RunResult, runMoves } from './move-run.ts'
export {
  type BucketSize,
  type PlannedMove,
  planBalance,
  planDrain,
  planPart,
} from './plan-moves.ts'
export { listMoves, type ShardMove } from './shard-moves.global.repository.ts'
export { shardJobs } from './shards.jobs.ts'
