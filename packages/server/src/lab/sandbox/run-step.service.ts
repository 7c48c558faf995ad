import { findEnvironment } from '../../accounts/teams/index.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Environment } from '../../platform/scope.ts'
import { findLab } from '../catalog/index.ts'
import {
  type LabReport,
  loadReportMaker,
  makeKitNumber,
  makeRequisitionNumber,
  newsFor,
  type ReportWish,
  writeSandboxMessage,
} from '../gateways/index.ts'
import { type InboxContext, processInside, storeMessage } from '../inbox/index.ts'
import { allowedMoves } from '../lifecycle/index.ts'
import {
  cancelRow,
  isSampleIdTaken,
  lockOrder,
  makeRequisition,
  type OrderRow,
  orderFacts,
} from '../orders/index.ts'
import { findNewestReport, inReportTransaction } from '../results/index.ts'
import type { SandboxStep } from './sandbox.tables.ts'
import {
  deleteStep,
  findDueOrder,
  findDueStep,
  type SandboxStepRow,
} from './sandbox-steps.repository.ts'

/** The lab report comes a while after the draw. */
const HOURS_TO_REPORT = 20
const HOUR_MS = 3_600_000

/**
 * Lets the next step happen that is due in a sandbox: what the outside world would say is stored as
 * a message of the sandbox gateway and taken like any other. A step that the order cannot make any
 * more is dropped.
 * @returns false when nothing was due
 */
export async function runDueStep(
  context: InboxContext,
  environmentId: string,
  due: { until: Date; orderId?: string },
): Promise<boolean> {
  const { db } = context
  const environment = await findEnvironment(db, environmentId)
  const orderId = due.orderId ?? (await findDueOrder(db, environmentId, due.until))
  if (environment === undefined || orderId === undefined) return false
  return inReportTransaction({ ...context, environment }, async ({ files }, transaction) => {
    // The order is locked before the step is chosen, so that its steps happen one after the other.
    const order = await lockOrder(transaction, environmentId, orderId)
    if (order === undefined || order.is_hidden) return false
    const row = await findDueStep(transaction, environmentId, orderId, due.until)
    if (row === undefined) return false
    await deleteStep(transaction, environmentId, row)
    await takeStep({ ...context, files }, transaction, environment, order, row)
    return true
  })
}

async function takeStep(
  context: InboxContext,
  transaction: Db,
  environment: Environment,
  order: OrderRow,
  { step, due_at: at }: SandboxStepRow,
): Promise<void> {
  const { id: environmentId } = environment
  if (!allowedMoves(await orderFacts(transaction, order)).includes(step.to)) return
  if (step.to === 'cancelled') {
    const orders = { db: context.db, clock: context.clock, environment }
    await cancelRow(orders, transaction, order, at, step.detail)
    return
  }
  const news = await writeNews(transaction, order, step, at)
  if (news.length === 0) return
  const message = { ...writeSandboxMessage(news), gateway: 'sandbox', at }
  const messageId = await storeMessage(transaction, environmentId, message)
  await processInside(context, transaction, environment, messageId)
}

async function writeNews(db: Db, order: OrderRow, step: SandboxStep, at: Date) {
  const lab = await findLab(db, order.lab_id)
  if (lab === undefined) throw new Error('The laboratory of an order is gone.')
  const requisition = await makeRequisition(db, order)
  const previous = await findNewestReport(db, order.environment_id, order.id)
  const sampleId = order.sample_id ?? (await chooseNumber(db, order, lab.slug))
  const { results } = step
  const { makeReport } = await loadReportMaker()
  const report = ({ status, hasMissingResults }: ReportWish): LabReport =>
    makeReport({
      requisition: { ...requisition, sampleId },
      status,
      interpretation: results.interpretation,
      resultTypes: results.resultTypes,
      hasMissingResults: hasMissingResults || results.hasMissingResults,
      collectedAt: collectionTime(order, at),
      reportedAt: at,
      labName: lab.name,
      accountId: requisition.accountId,
      ...(results.missingKind === null ? {} : { missingKind: results.missingKind }),
      ...(previous === undefined ? {} : { previous }),
    })
  const { to, detail } = step
  const move = { from: order.last_status, to, method: order.method, detail }
  const facts = { seed: order.id, sampleId, report }
  return newsFor(move, { orderId: order.id, sampleId, labSlug: lab.slug }, facts, at)
}

/** A number under which the laboratory knows no other sample. Kits have only ten digits. */
async function chooseNumber(db: Db, order: OrderRow, labSlug: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const number = order.is_unregistered_kit
      ? makeKitNumber(order.id, attempt)
      : makeRequisitionNumber(order.id, labSlug, attempt)
    if (!(await isSampleIdTaken(db, order.lab_id, number))) return number
  }
}

/** When the sample was taken: as noted, else some hours before its report, never before the order. */
function collectionTime(order: OrderRow, reportedAt: Date): Date {
  if (order.collected_on !== null) {
    const noon = new Date(`${order.collected_on}T12:00:00Z`)
    if (noon < reportedAt) return noon
  }
  const before = reportedAt.getTime() - HOURS_TO_REPORT * HOUR_MS
  return new Date(Math.max(before, order.created_at.getTime()))
}
