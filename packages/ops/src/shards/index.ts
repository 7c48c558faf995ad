export { measureShards, runMoves } from './move-run.ts'
export { type PlannedMove, planBalance, planDrain, planPart } from './plan-moves.ts'
export { listMoves } from './shard-moves.global.repository.ts'
export { shardJobs } from './shards.jobs.ts'
