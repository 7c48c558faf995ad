import { isHeld } from '@salus/accounts/legal-holds'
import { eraseBulkExports } from '@salus/fhir/bulk'
import { eraseImportFiles } from '@salus/health/imports'
import { systemEntry } from '@salus/kernel/audit/audit-chain'
import type { AuditLog } from '@salus/kernel/audit/audit-log'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { EventRemoval } from '@salus/kernel/events/events'
import type { FileStore } from '@salus/kernel/files/file-store'
import { newId } from '@salus/kernel/ids'
import { removeJobsAbout } from '@salus/kernel/jobs/jobs'
import type { Logger } from '@salus/kernel/log'
import { rowScope, type Stores } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { eraseRemovedOf } from '@salus/lab/inbox'
import { eraseLabReports } from '@salus/lab/reports'
import { eraseResults } from '@salus/lab/results'
import { eraseExports } from '../exports/index.ts'
import {
  countPersonRows,
  deletePersonRows,
  findStoredPersonTable,
  PERSON_TABLES,
} from '../person-data/index.ts'
import type { ErasureSearch, ErasureStatement } from './erasure.schema.ts'
import * as repository from './erasures.repository.ts'
import { getReceiptKey, signStatement } from './receipt-keys.ts'
import { findRemains, searchBeforeDelete } from './remains/find-remains.service.ts'
import { deleteVendorCopies } from './remains/person-copies.global.repository.ts'
import { findSearchTerms } from './remains/search-terms.repository.ts'
import { describeRemovedAndKept } from './removed-and-kept.ts'

export interface ErasureStores extends Stores {
  files: FileStore
  secrets: SecretBox
  audit: AuditLog
  eventRemoval: EventRemoval
  log: Logger
}

/**
 * Jobs that continue without the user: with ids alone they end what laboratories, providers and
 * stores still hold.
 */
const JOBS_THAT_STAY = [
  'erase_person',
  'cancel_order_at_lab',
  'cancel_appointment_at_provider',
  'remove_result_files',
  'remove_lab_report_files',
  'remove_file_after_backup',
]

export interface Person {
  environmentId: string
  userId: string
}

/**
 * Erases what is left of a user whose erasure began and whose rows of ClickHouse are gone, and
 * stores the receipt. Data that a search of all stores finds besides are listed in the receipt and
 * in the log of the server: they may be about another person, and do not stop the erasure.
 * @throws Error when rows are left in a table of users
 */
export async function finishErasure(
  stores: ErasureStores,
  { environmentId, userId }: Person,
): Promise<void> {
  const { db, clickhouse, files, secrets, audit, eventRemoval, clock, log } = stores
  const scope = rowScope(db, environmentId)
  const rows = { ...scope, clickhouse }
  const left = await findStoredPersonTable(rows, userId)
  if (left !== undefined) throw new Error(`The erasure left rows in ${left}.`)
  await eraseResults(scope, files, userId)
  await eraseRemovedOf(scope, clickhouse)
  await eraseLabReports(scope, files, userId)
  await eraseImportFiles(scope, files, userId)
  await eraseExports(scope, files, userId)
  await eraseBulkExports(scope, files)
  await audit.append(
    systemEntry(clock.now(), ['JOB', 'erase_deleted_users'], { environmentId, userId }),
  )
  const key = await getReceiptKey(db, secrets, clock.now())
  const terms = await findSearchTerms(scope, userId)
  // Before the search, which reads the bodies of events that name no user.
  const about = { userIds: [userId], ids: terms.ids, isErasure: true }
  await db
    .transaction()
    .execute((tx) => eventRemoval.deleteAbout(rowScope(tx, environmentId), about))
  const early = await searchBeforeDelete(rows, files, userId, terms)
  await db.transaction().execute(async (transaction) => {
    const tx = rowScope(transaction, environmentId)
    const erasure = await repository.findErasureOfPerson(tx, userId)
    if (erasure === undefined) throw new Error('The erasure no longer exists.')
    await eventRemoval.deleteOfPerson(tx, userId)
    await deletePersonRows(tx, userId)
    await eraseRemovedOf(tx, clickhouse)
    await deleteVendorCopies(tx.db, terms.vendorAccounts)
    await removeJobsAbout(tx.db, terms.ids, JOBS_THAT_STAY)
    await requireNothingLeft({ ...tx, clickhouse }, userId)
    const search = await findRemains(tx.db, terms, early)
    for (const { store, table, rows: found } of search.remaining) {
      log.warn(
        { store, table, rows: found },
        'an erasure found data of the user that it does not remove',
      )
    }
    const at = clock.now()
    const receipt = signStatement(key, toStatement(erasure, search, at))
    await repository.completeErasure(tx, erasure.id, receipt, at)
  })
}

/**
 * Records the data of the user, once, unless the user is under a hold: from then on no hold can be
 * placed.
 * @returns whether there is a deleted user to erase
 */
export async function beginErasure(
  { db, clickhouse, clock }: ErasureStores,
  { environmentId, userId }: Person,
): Promise<boolean> {
  const rows = { ...rowScope(db, environmentId), clickhouse }
  const counted = Object.fromEntries(await countPersonRows(rows, userId))
  return db.transaction().execute(async (transaction) => {
    const tx = rowScope(transaction, environmentId)
    if (await isHeld(tx, userId)) return false
    const deletedAt = await repository.findDeletion(tx, userId)
    if (deletedAt === undefined) return false
    const now = clock.now()
    const erasure = { id: newId(), user_id: userId, cause: 'deleted' as const }
    await repository.insertErasure(tx, { ...erasure, requested_at: deletedAt, due_at: now })
    const files = await repository.countFiles(tx, userId)
    await repository.startErasure(tx, userId, { rows: counted, files }, now)
    return true
  })
}

async function requireNothingLeft(
  scope: Parameters<typeof countPersonRows>[0],
  userId: string,
): Promise<void> {
  const left = await countPersonRows(scope, userId)
  for (const { name, erased } of PERSON_TABLES) {
    if (typeof erased === 'string' && left.has(name)) {
      throw new Error(`The erasure left rows in ${name}.`)
    }
  }
}

function toStatement(
  erasure: repository.ErasureRow,
  search: ErasureSearch,
  erasedAt: Date,
): ErasureStatement {
  const { id, environment_id, user_id, cause, found } = erasure
  return {
    type: 'salus_erasure_receipt',
    version: 2,
    id,
    environment_id,
    user_id,
    cause,
    requested_at: formatInstant(erasure.requested_at),
    started_at: formatInstant(erasure.started_at ?? erasedAt),
    erased_at: formatInstant(erasedAt),
    ...describeRemovedAndKept(found),
    ...search,
  }
}
