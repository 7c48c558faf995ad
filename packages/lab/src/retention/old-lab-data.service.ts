import { deleteTasksOf } from '@salus/accounts/tasks'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { RowScope } from '@salus/kernel/scope'
import { countOldReports, removeOldReports } from '../reports/index.ts'
import { namesOfFiles, REMOVE_RESULT_FILES } from '../results/index.ts'
import { countOldMessages, deleteOldMessages, deleteOldReviews } from './old-messages.repository.ts'
import * as orders from './old-orders.repository.ts'
import { countOldPolicies, deleteOldPolicies } from './old-policies.repository.ts'
import type { OldRecords, RemovalScope, RemovedRecord, RetainedRecords } from './old-records.ts'

/**
 * Least retention of a test's records for laboratories: two years (42 CFR 493.1105). Many laws
 * require more of the person who ordered it.
 */
const TWO_YEARS = 730
/** Least retention of messages, within which an order may still be found for one. */
const QUARTER = 90

/**
 * Records of laboratories with their own retention rules
 * (docs/contract/18-persons-rights.md#retention).
 */
export const RETAINED_LAB_RECORDS: readonly RetainedRecords[] = [
  {
    name: 'lab_report',
    meaning: 'Finished parsing jobs that were created earlier, with their results and files.',
    minimumDays: 1,
    isOfOwnTime: false,
    count: countOldReports,
    removeSome: removeOldParsingJobs,
  },
  {
    name: 'lab_order',
    meaning: 'Order transactions whose orders all ended earlier and have not changed since.',
    minimumDays: TWO_YEARS,
    isOfOwnTime: true,
    count: orders.countOldOrders,
    removeSome: removeOldOrders,
  },
  {
    name: 'lab_message',
    meaning: 'Messages and decided reviews without an order that were received or decided earlier.',
    minimumDays: QUARTER,
    isOfOwnTime: true,
    count: countOldMessages,
    removeSome: removeOldMessages,
  },
  {
    name: 'insurance_policy',
    meaning: 'Policies that no order names and that another policy replaced earlier.',
    minimumDays: TWO_YEARS,
    isOfOwnTime: true,
    count: countOldPolicies,
    removeSome: async (tx, old, limit) =>
      (await deleteOldPolicies(tx, old, limit)).map(toRemovedRecord),
  },
]

const toRemovedRecord = (row: { id: string; user_id: string | null }): RemovedRecord => ({
  id: row.id,
  userId: row.user_id,
})

/** Deletes old jobs, and their events, which contain the readings. */
async function removeOldParsingJobs(
  tx: RemovalScope,
  old: OldRecords,
  limit: number,
): Promise<RemovedRecord[]> {
  const gone = await removeOldReports(tx, old, limit)
  const userIds = [...new Set(gone.map(({ userId }) => userId))]
  const ids = gone.map(({ id }) => id)
  await deleteTasksOf(tx, ids)
  if (gone.length > 0) await tx.eventRemoval.deleteAbout(tx, { userIds, ids })
  return gone
}

/**
 * Deletes order transactions as a whole: with every order's events, shipment, results, documents,
 * insurance, appointments and messages, and the emitted events about them.
 */
async function removeOldOrders(
  tx: RemovalScope,
  old: OldRecords,
  limit: number,
): Promise<RemovedRecord[]> {
  const transactionIds = await orders.lockOldTransactions(tx, old, limit)
  if (transactionIds.length === 0) return []
  const gone = await orders.listOrdersOf(tx, transactionIds)
  const orderIds = gone.map(({ id }) => id)
  const userIds = [...new Set(gone.map(({ user_id: userId }) => userId))]
  const appointmentIds = await orders.listAppointmentsOf(tx, orderIds)
  const { reviewIds, files } = await orders.deleteReviewsAndMessages(tx, orderIds)
  const about = { userIds, ids: [...orderIds, ...appointmentIds, ...reviewIds] }
  await tx.eventRemoval.deleteAbout(tx, about)
  await deleteTasksOf(tx, about.ids)
  await orders.deleteCopies(tx, about)
  await orders.deleteTransactions(tx, transactionIds)
  await removeFilesLater(tx, files)
  return gone.map(toRemovedRecord)
}

async function removeOldMessages(
  tx: RemovalScope,
  old: OldRecords,
  limit: number,
): Promise<RemovedRecord[]> {
  const reviews = await deleteOldReviews(tx, old, limit)
  const about = {
    userIds: reviews.flatMap(({ user_id: userId }) => userId ?? []),
    ids: reviews.map(({ id }) => id),
  }
  if (reviews.length > 0) await tx.eventRemoval.deleteAbout(tx, about)
  await deleteTasksOf(tx, about.ids)
  await removeFilesLater(tx, namesOfFiles(reviews))
  const messages = await deleteOldMessages(tx, old, limit)
  return [...reviews.map(toRemovedRecord), ...messages.map((id) => ({ id, userId: null }))]
}

/**
 * Adds a job that deletes files after the commit: a row never names a deleted file, and no file
 * outlives its rows.
 */
async function removeFilesLater({ db, environment }: RowScope, names: string[]): Promise<void> {
  if (names.length === 0) return
  await addJob(db, REMOVE_RESULT_FILES, { environmentId: environment.id, names })
}
