import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import type { SecretBox } from '../crypto/secret-box.ts'
import type { FileStore } from '../files/file-store.ts'
import type { JobDefinitions } from '../jobs/jobs.ts'
import type { Logger } from '../log.ts'
import type { Db } from '../postgres/database.ts'
import type { Clock } from '../time/clock.ts'
import { createHeadKeeper } from './audit-heads.ts'
import type { AuditLog } from './audit-log.ts'
import { type AuditRetention, applyAuditRetention } from './audit-retention.ts'
import { moveAuditRows } from './move-audit-rows.ts'

interface JobContext {
  db: Db
  clickhouse: ClickHouse
  files: FileStore
  secrets: SecretBox
  clock: Clock
  audit: AuditLog
  log: Logger
}

/**
 * Jobs that keep the heads of the chains, and move rows into ClickHouse and remove old ones, both
 * every hour.
 */
export function auditJobs(context: JobContext, retention: AuditRetention): JobDefinitions {
  return {
    handlers: {
      keep_audit_head: createHeadKeeper(context),
      move_audit_rows: async (_payload, signal) => {
        await moveAuditRows(context, signal)
        if (!signal.aborted) await applyAuditRetention(context, retention)
      },
    },
    schedule: '3 * * * * keep_audit_head\n11 * * * * move_audit_rows',
  }
}
