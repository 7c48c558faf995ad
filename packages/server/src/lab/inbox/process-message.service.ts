import { findEnvironment } from '../../accounts/teams/index.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { createScope, type Scope, type Stores } from '../../platform/scope.ts'
import { findLabBySlug } from '../catalog/index.ts'
import {
  type LabGateways,
  type LabNews,
  type OrderReference,
  UnreadableMessage,
} from '../gateways/index.ts'
import {
  applyNews,
  findOrder,
  findOrderBySampleId,
  lockOrder,
  type OrderRow,
  SampleIdTaken,
} from '../orders/index.ts'
import {
  inReportTransaction,
  type ReportTransaction,
  rematchHeld,
  takeReport,
} from '../results/index.ts'
import {
  type LabMessageRow,
  lockWaitingMessage,
  updateLabMessage,
} from './lab-messages.repository.ts'
import type { LabMessageJob } from './store-message.service.ts'

export interface InboxContext extends Stores {
  files: FileStore
  gateways: LabGateways
}

/** What became of a message, or of one piece of its news. */
interface Outcome {
  state: 'processed' | 'ignored' | 'held' | 'failed'
  problem: string | null
  orderId: string | null
}

/**
 * Reads a stored message and applies its news, all in one transaction: a message counts wholly or
 * not at all. A fault of ours throws, so that the job tries it again; what cannot be read or followed,
 * or is of no known order, stays with a code that says why.
 */
export async function processMessage(context: InboxContext, job: LabMessageJob): Promise<void> {
  const environment = await findEnvironment(context.db, job.environmentId)
  if (environment === undefined) return
  const { environmentId, messageId } = job
  try {
    const scope = { ...createScope(context, environment), files: context.files }
    await inReportTransaction(scope, (tx) => processInside(context, tx, messageId))
  } catch (error) {
    // What the laboratory got wrong is wrong the next time, too.
    if (!(error instanceof SampleIdTaken)) throw error
    const outcome = { ...failed('sample_id_taken'), at: context.clock.now() }
    await updateLabMessage(context.db, environmentId, messageId, outcome)
    context.log.warn({ messageId, problem: outcome.problem }, NOT_FOLLOWED)
  }
}

const NOT_FOLLOWED = 'a laboratory message was not followed'

/** As processMessage, in the caller's own transaction, which `inReportTransaction` began. */
export async function processInside(
  context: InboxContext,
  tx: ReportTransaction,
  messageId: string,
): Promise<void> {
  const { clock, log } = context
  const { id: environmentId } = tx.environment
  const message = await lockWaitingMessage(tx.db, environmentId, messageId)
  if (message === undefined) return
  const outcome = await applyMessage(context, tx, message)
  await updateLabMessage(tx.db, environmentId, messageId, { ...outcome, at: clock.now() })
  if (outcome.problem !== null) {
    log.warn({ messageId, problem: outcome.problem }, NOT_FOLLOWED)
  }
}

async function applyMessage(
  context: InboxContext,
  tx: ReportTransaction,
  message: LabMessageRow,
): Promise<Outcome> {
  const gateway = context.gateways.byName(message.gateway)
  if (gateway === undefined) return failed('unknown_gateway')
  const news = readNews(() =>
    gateway.read({ contentType: message.content_type, content: message.content }),
  )
  if ('problem' in news) return failed(news.problem)
  let outcome: Outcome = { state: 'ignored', problem: null, orderId: null }
  for (const piece of news.pieces) {
    const next = await applyPiece(tx, message, piece)
    // What did something tells more of the message than what did not.
    if (next.state !== 'ignored' || outcome.orderId === null) outcome = next
  }
  return outcome
}

const failed = (problem: string): Outcome => ({ state: 'failed', problem, orderId: null })

function readNews(read: () => LabNews[]): { pieces: LabNews[] } | { problem: string } {
  try {
    return { pieces: read() }
  } catch (error) {
    if (error instanceof UnreadableMessage) return { problem: error.problem }
    throw error
  }
}

async function applyPiece(
  tx: ReportTransaction,
  message: LabMessageRow,
  news: LabNews,
): Promise<Outcome> {
  const at = news.at ?? message.received_at
  const row = await findNamedOrder(tx, news.order)
  if (news.kind === 'report') {
    const { report, order } = news
    const taking = { report, labSlug: order.labSlug, messageId: message.id, at }
    const named = row === undefined ? taking : { ...taking, orderId: row.id }
    return { ...(await takeReport(tx, named)), problem: null }
  }
  if (row === undefined) return { state: 'ignored', problem: 'unknown_order', orderId: null }
  const locked = await lockOrder(tx.db, tx.environment.id, row.id)
  if (locked === undefined) return { state: 'ignored', problem: 'unknown_order', orderId: null }
  const { effect } = await applyNews(tx, tx.db, locked, { ...news, at })
  if (TELLS_NUMBER.has(news.kind)) await rematchHeld(tx, row.id, at)
  return { state: effect === 'ignored' ? 'ignored' : 'processed', problem: null, orderId: row.id }
}

/** With the number of its sample an order may turn out to be that of a result which is held. */
const TELLS_NUMBER = new Set<LabNews['kind']>(['requisition_accepted', 'kit_dispatched'])

/** The order that news are about, by our id where the sender knows it, else by the sample. */
async function findNamedOrder(
  { db, environment }: Scope,
  { orderId, sampleId, labSlug }: OrderReference,
): Promise<OrderRow | undefined> {
  const { id: environmentId } = environment
  if (orderId !== undefined) return findOrder(db, environmentId, orderId)
  if (sampleId === undefined) return undefined
  const lab = await findLabBySlug(db, labSlug)
  return lab && findOrderBySampleId(db, environmentId, lab.id, sampleId)
}
