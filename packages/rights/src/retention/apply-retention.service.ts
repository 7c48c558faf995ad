import { listHeldPeople, lockHolds } from '@salus/accounts/legal-holds'
import { beginWriteOfEveryone, removeDaysBefore } from '@salus/health/day-cache'
import { systemEntry } from '@salus/kernel/audit/audit-chain'
import type { AuditLog } from '@salus/kernel/audit/audit-log'
import { eraseHiddenRows } from '@salus/kernel/clickhouse/remove-rows'
import type { EventRemoval } from '@salus/kernel/events/events'
import { rowScope, type Stores } from '@salus/kernel/scope'
import type { RetainedRecords } from '@salus/lab/retention'
import {
  countOldData,
  findOldData,
  isLabRecords,
  type OldData,
  type RetentionScope,
} from './old-data.ts'
import {
  type EnvironmentWithRules,
  listEnvironmentsWithRules,
} from './retention.global.repository.ts'
import { RETAINED_TABLES, type StoredRows } from './retention.registry.ts'
import * as repository from './retention.repository.ts'

export interface RetentionStores extends Stores {
  audit: AuditLog
  eventRemoval: EventRemoval
}

type RemovalScope = RetentionScope & Pick<RetentionStores, 'eventRemoval'>

type Rule = Pick<repository.RetentionRuleRow, 'resource' | 'days'>

const AUDITED = ['JOB', 'apply_retention'] as const

/**
 * Number of laboratory records that are removed in one transaction, during which no hold can be
 * placed.
 */
const RECORDS_AT_ONCE = 50

/**
 * Removes data that are older than the rules of their environment allow, in all environments.
 * During a removal no hold can be placed in the environment: after the answer to a hold, none of
 * the user's data are removed.
 */
export async function applyRetention(stores: RetentionStores, signal: AbortSignal): Promise<void> {
  const { db, clickhouse, clock, audit, eventRemoval, log } = stores
  let removed = 0
  for (const environment of await listEnvironmentsWithRules(db)) {
    for (const rule of await repository.listRules(rowScope(db, environment.id))) {
      if (signal.aborted) return
      removed += await applyRule(stores, { environment, rule, signal })
    }
    await audit.append(systemEntry(clock.now(), AUDITED, { environmentId: environment.id }))
  }
  if (removed > 0) log.info({ rows: removed }, 'removed data by retention rules')
  // Once for all rules and environments, because it rewrites a table as a whole. It also frees the
  // space of samples that a provider removed.
  for (const table of RETAINED_TABLES) await eraseHiddenRows(clickhouse, table)
  await eventRemoval.eraseHidden()
}

interface RuleOfEnvironment {
  environment: EnvironmentWithRules
  rule: Rule
  signal: AbortSignal
}

async function applyRule(
  stores: RetentionStores,
  { environment, rule, signal }: RuleOfEnvironment,
): Promise<number> {
  const { clock, db } = stores
  const { stored, cutoff } = findOldData({ clock, environment }, rule, [])
  const whileNobodyHolds = <T>(work: (scope: RemovalScope, old: OldData) => Promise<T>) =>
    db.transaction().execute(async (transaction) => {
      const scope = { ...stores, db: transaction, environment }
      await lockHolds(scope)
      return work(scope, findOldData(scope, rule, await listHeldPeople(scope)))
    })
  let rows = 0
  if (isLabRecords(stored)) {
    for (let gone = -1; gone !== 0; rows += gone) {
      if (signal.aborted) return rows
      gone = await whileNobodyHolds((tx, old) => removeSome(stores.audit, tx, stored, old))
    }
  } else {
    // Outside of the transaction, because readers must see it. It stays open after a failure.
    const write = await beginWriteOfEveryone(stores, environment.id, rule.resource, cutoff)
    rows = await whileNobodyHolds((scope, old) => removeRows(scope, { ...old, stored }))
    await (rows === 0 ? write.endUnchanged() : write.end([]))
  }
  const run = { applied_at: clock.now(), last_removed: rows }
  await repository.saveRetentionRun(rowScope(db, environment.id), rule.resource, run)
  return rows
}

async function removeRows(
  scope: RetentionScope,
  old: OldData & { stored: StoredRows },
): Promise<number> {
  const { rows } = await countOldData(scope, old)
  if (rows === 0) return 0
  await repository.hideOldRows(scope, old)
  const { series } = old.stored
  if (series !== undefined) {
    await removeDaysBefore(scope.db, scope.environment.id, series, old.cutoff)
  }
  return rows
}

/**
 * Each record is logged in the audit log before it is removed: one that is logged twice was removed
 * once.
 */
async function removeSome(
  audit: AuditLog,
  tx: RemovalScope,
  records: RetainedRecords,
  old: OldData,
): Promise<number> {
  const gone = await records.removeSome(tx, old, RECORDS_AT_ONCE)
  const at = tx.clock.now()
  const environmentId = tx.environment.id
  await Promise.all(
    gone.map(({ id: objectId, userId }) =>
      audit.append(systemEntry(at, AUDITED, { environmentId, userId, objectId })),
    ),
  )
  return gone.length
}
