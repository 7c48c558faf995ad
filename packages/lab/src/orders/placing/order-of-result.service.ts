import { findUserInfo } from '@salus/accounts/users'
import { badRequest } from '@salus/kernel/errors'
import type { TransactionScope } from '@salus/kernel/scope'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { findOrCreateOrderedTest, resolveMarkers, selectLabAccount } from '../../catalog/index.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { OrderDraft } from './order-draft.ts'
import { readPatient, readPatientAddress } from './people.ts'
import { newLineage, storeOrder } from './store-order.service.ts'

/**
 * Creates an order for a result without one, of a user whose demographics are known, at the
 * reporting laboratory, in its own order transaction. It is not dispatched.
 * @throws AppError 400 `demographics_required`, and those of accounts
 */
export async function createOrderForResult(
  tx: TransactionScope,
  input: { userId: string; labId: number; markerIds: readonly number[]; at: Date },
): Promise<OrderRow> {
  const { userId, labId, markerIds, at } = input
  const info = await findUserInfo(tx, userId)
  if (info === undefined) {
    throw badRequest('demographics_required', 'The demographics of the user are not known.')
  }
  const set = await resolveMarkers(tx.db, markerIds)
  const method = set.lab.collection_methods[0]
  if (method === undefined) throw new Error('A laboratory without methods of collection.')
  const choice = { labId, labAccountId: null, purpose: 'import' as const }
  const patient = readPatient(info, dateAtOffset(at.getTime(), 0))
  const draft: OrderDraft = {
    userId,
    labTest: await findOrCreateOrderedTest(tx, set, method, at),
    account: await selectLabAccount(tx, choice),
    method,
    markers: set.markers,
    patient,
    address: readPatientAddress(info.address, patient, { isStrict: false }),
    ...NOTHING_ORDERED,
  }
  const lineage = { ...newLineage(), origin: 'recreation' as const }
  const { row } = await storeOrder(tx, draft, lineage, at)
  return row
}

const NOTHING_ORDERED = {
  shipping: null,
  physician: null,
  billing: 'client_bill' as const,
  icdCodes: null,
  consents: [],
  aoeAnswers: [],
  priority: false,
  activateBy: null,
  notes: null,
  clinicalNotes: null,
  passthrough: null,
  sampleId: null,
  creatorMemberId: null,
  isImported: true,
  isUnregisteredKit: false,
  healthInsuranceId: null,
  healthInsurance: null,
}
