import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import type pg from 'pg'
import { completeSwitches } from './move-run.ts'

interface ShardStores {
  pool: pg.Pool
  clickhouse: ClickHouse
  config: { clickhouseCluster: string | undefined }
}

/**
 * Completes switches that a killed command left half way, so that their people can be written to
 * again. The rest of a move waits for the command.
 */
export function shardJobs({ pool, clickhouse, config }: ShardStores): JobDefinitions {
  return {
    handlers: {
      async complete_shard_switches() {
        const { cluster } = clickhouse
        if (cluster !== undefined) await completeSwitches(pool, cluster.moves)
      },
    },
    schedule: config.clickhouseCluster === undefined ? '' : '* * * * * complete_shard_switches',
  }
}
