import type pg from 'pg'
import { eraseSamples } from '../../health/ingest/index.ts'
import { eraseSummaries } from '../../health/summaries/index.ts'
import { eraseLabReports } from '../../lab/reports/index.ts'
import { eraseResults } from '../../lab/results/index.ts'
import { systemEntry } from '../../platform/audit/audit-chain.ts'
import type { AuditLog } from '../../platform/audit/audit-log.ts'
import { isShardDown } from '../../platform/errors.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { type JobDefinitions, removeEmptyQueues } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/log.ts'
import type { Stores } from '../../platform/scope.ts'
import { eraseEvents } from '../../webhooks/index.ts'
import { eraseUser, listErasableUsers } from '../users/index.ts'

interface ErasureStores extends Stores {
  pool: pg.Pool
  files: FileStore
  audit: AuditLog
  log: Logger
}

/** Erases users whose week of grace after a delete is over, once an hour. */
export function erasureJobs(stores: ErasureStores): JobDefinitions {
  return {
    handlers: { erase_deleted_users: (_payload, signal) => eraseDeletedUsers(stores, signal) },
    schedule: '23 * * * * erase_deleted_users',
  }
}

/**
 * Samples go first and the user's row last, so that an erasure cut short is taken up again by the
 * next run and never forgotten.
 */
export async function eraseDeletedUsers(
  { db, pool, clickhouse, files, audit, clock, log }: ErasureStores,
  signal: AbortSignal,
): Promise<void> {
  const users = await listErasableUsers({ db, clock })
  for (const { environment_id: environmentId, id } of users) {
    if (signal.aborted) return
    const scope = { db, environment: { id: environmentId } }
    try {
      await eraseSamples(clickhouse, environmentId, id)
      await eraseSummaries(clickhouse, environmentId, id)
    } catch (error) {
      // Those of other shards need not wait until this one is back.
      if (isShardDown(error)) continue
      throw error
    }
    await eraseEvents(scope, id)
    await eraseResults(scope, files, id)
    await eraseLabReports(scope, files, id)
    const whose = { environmentId, userId: id }
    await audit.append(systemEntry(clock.now(), ['JOB', 'erase_deleted_users'], whose))
    await eraseUser(scope, id)
  }
  if (users.length === 0) return
  await removeEmptyQueues(pool, log)
  log.info({ users: users.length }, 'erased deleted users')
}
