import { countOldReports, removeOldReports } from '../../lab/reports/index.ts'
import { systemEntry } from '../../platform/audit/audit-chain.ts'
import type { AuditLog } from '../../platform/audit/audit-log.ts'
import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import { invalidInput } from '../../platform/errors.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { type RowScope, rowScope, type Scope, type Stores } from '../../platform/scope.ts'
import { formatInstant } from '../../platform/time/instants.ts'
import { listHeldPeople, lockHolds } from '../legal-holds/index.ts'
import { listEnvironmentsWithRules } from './retention.global.repository.ts'
import { RETAINED_RESOURCES, type RetainedResource } from './retention.registry.ts'
import * as repository from './retention.repository.ts'
import type { RetentionDryRun, RetentionRules, RetentionRulesInput } from './retention.schema.ts'

const DAY_MS = 86_400_000

const BY_NAME = new Map(RETAINED_RESOURCES.map((resource) => [resource.name, resource]))

interface Rule {
  resource: string
  days: number
}

/** How many days each resource is kept; of what has no rule nothing is removed. */
export async function showRules(scope: RowScope): Promise<RetentionRules> {
  const rows = await repository.listRules(scope)
  return {
    rules: rows.map(({ resource, days, updated_at, applied_at, last_removed }) => ({
      resource,
      days,
      updated_at: formatInstant(updated_at),
      applied_at: applied_at && formatInstant(applied_at),
      last_removed,
    })),
  }
}

/** Puts rules in place of all that there were. @throws InputError for two rules of one resource */
export function putRules(scope: Scope, { rules }: RetentionRulesInput): Promise<RetentionRules> {
  refuseTwice(rules)
  return scope.transaction(async (tx) => {
    await repository.replaceRules(tx, rules, tx.clock.now())
    return showRules(tx)
  })
}

function refuseTwice(rules: readonly Rule[]): void {
  const seen = new Set<string>()
  for (const [index, { resource }] of rules.entries()) {
    if (seen.has(resource)) {
      throw invalidInput(
        ['body', 'rules', index, 'resource'],
        'The resource has two rules',
        'duplicate',
      )
    }
    seen.add(resource)
  }
}

/** What rules would remove now; nothing is changed. @throws InputError for two rules of one resource */
export async function tryRules(
  scope: Scope,
  { rules }: RetentionRulesInput,
): Promise<RetentionDryRun> {
  refuseTwice(rules)
  const held = await listHeldPeople(scope)
  const effects: RetentionDryRun['effects'] = []
  for (const { resource, days } of rules) {
    const cutoff = cutoffOf(scope.clock.now(), days)
    const found = await countOld(scope, toOld(resource, cutoff, held))
    effects.push({ resource, days, older_than: formatInstant(cutoff), ...found })
  }
  return { effects, held_people: held.length }
}

/** Whole days in UTC, so that a run removes the same at any hour. */
function cutoffOf(now: Date, days: number): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - days * DAY_MS)
}

interface Old {
  resource: RetainedResource
  cutoff: Date
  held: readonly string[]
}

function toOld(name: string, cutoff: Date, held: readonly string[]): Old {
  const resource = BY_NAME.get(name)
  if (resource === undefined) throw new RangeError('A rule is of a resource that is not known.')
  return { resource, cutoff, held }
}

const isInClickHouse = (old: Old): old is repository.OldRows =>
  old.resource.stored !== 'lab_reports'

function countOld(
  scope: RowScope & { clickhouse: ClickHouse },
  old: Old,
): Promise<{ rows: number; people: number }> {
  return isInClickHouse(old) ? repository.countOldRows(scope, old) : countOldReports(scope, old)
}

interface RetentionStores extends Stores {
  files: FileStore
  audit: AuditLog
}

/**
 * Removes what is older than the rules of its environment let it be, in all environments. While an environment is
 * worked on nobody places a hold in it: from the answer to a hold on, nothing of the person is removed.
 */
export async function applyRetention(stores: RetentionStores, signal: AbortSignal): Promise<void> {
  const { db, clock, audit, log } = stores
  let removed = 0
  for (const environmentId of await listEnvironmentsWithRules(db)) {
    for (const rule of await repository.listRules(rowScope(db, environmentId))) {
      if (signal.aborted) return
      removed += await applyRule(stores, environmentId, rule)
    }
    await audit.append(systemEntry(clock.now(), ['JOB', 'apply_retention'], { environmentId }))
  }
  if (removed > 0) log.info({ rows: removed }, 'removed what was older than retention allows')
}

function applyRule(stores: RetentionStores, environmentId: string, rule: Rule): Promise<number> {
  const { clickhouse, clock, files } = stores
  return stores.db.transaction().execute(async (transaction) => {
    const scope = { ...rowScope(transaction, environmentId), clickhouse }
    await lockHolds(scope)
    const held = await listHeldPeople(scope)
    const old = toOld(rule.resource, cutoffOf(clock.now(), rule.days), held)
    const { rows } = await countOld(scope, old)
    if (rows > 0) {
      await (isInClickHouse(old)
        ? repository.deleteOldRows(scope, old)
        : removeOldReports(scope, files, old))
    }
    await repository.saveRun(scope, rule.resource, {
      applied_at: clock.now(),
      last_removed: rows,
    })
    return rows
  })
}
