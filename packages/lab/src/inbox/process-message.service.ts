import { type OrderUpdate, UnreadableMessage } from '@salus/contracts/lab-gateway'
import { AppError } from '@salus/kernel/errors'
import type { JobAttempt } from '@salus/kernel/jobs/jobs'
import { awaitWithCommit } from '@salus/kernel/postgres/transaction'
import type { Scope } from '@salus/kernel/scope'
import { parseInstant } from '@salus/kernel/time/instants'
import type { LabGateways } from '../gateways/index.ts'
import { applyUpdate, lockOrder, recordNumbers, SampleIdTaken } from '../orders/index.ts'
import {
  inResultTransaction,
  type ResultTransaction,
  receiveResultMessage,
  rematchHeldResults,
} from '../results/index.ts'
import { findReferencedOrder } from './find-referenced-order.service.ts'
import type { Inbox } from './inbox.service.ts'
import {
  type LabMessageRow,
  lockLabMessage,
  type MessageState,
  updateLabMessage,
} from './lab-messages.repository.ts'
import { MESSAGE_PROBLEMS, MessageRefused, type ProblemClass } from './message-problems.registry.ts'
import { PROCESS_LAB_MESSAGE } from './message-writer.ts'

/** Outcome of a message, or of one of its updates. */
interface Outcome {
  state: MessageState
  orderId: string | null
}

/**
 * Reads a stored message and applies its updates in one transaction, all or none. A message that
 * cannot be read or is refused fails at once with a code. An internal error is thrown, so that the
 * job is retried, and the message fails after the last attempt. Does nothing for a processed
 * message.
 */
export async function processMessage(
  scope: Scope,
  { files, gateways }: Inbox,
  messageId: string,
  attempt: JobAttempt = { isLast: false },
): Promise<void> {
  /** The order of the message, when it was found. */
  const about: { orderId: string | null } = { orderId: null }
  try {
    await inResultTransaction({ ...scope, files }, async (tx) => {
      const message = await lockLabMessage(tx, messageId)
      if (message?.state !== 'waiting') return
      const outcome = await applyMessage(gateways, tx, message, about)
      const processed = updateLabMessage(tx, messageId, {
        state: outcome.state,
        order_id: outcome.orderId,
        problem_class: null,
        problem: null,
        processed_at: scope.clock.now(),
      })
      await awaitWithCommit(tx.db, processed)
    })
  } catch (error) {
    await recordFailure(scope, { messageId, orderId: about.orderId, error }, attempt)
  }
}

interface Failure {
  messageId: string
  orderId: string | null
  error: unknown
}

/**
 * Counts the attempt, and fails the message when retries are useless or used up.
 * @throws the internal error
 */
async function recordFailure(
  scope: Scope,
  { messageId, orderId, error }: Failure,
  attempt: JobAttempt,
): Promise<void> {
  const { clock, log } = scope
  const { problemClass, problem } = problemOf(error)
  const isGivenUp = await scope.transaction(async (tx) => {
    const message = await lockLabMessage(tx, messageId)
    if (message?.state !== 'waiting') return true
    const attempts = message.attempts + 1
    const isLast = attempt.isLast || attempts >= PROCESS_LAB_MESSAGE.maxAttempts
    const isFinal = problemClass !== 'fault' || isLast
    const reason = { problem_class: problemClass, problem, order_id: orderId, attempts }
    const end = isFinal ? { state: 'failed' as const, processed_at: clock.now() } : {}
    await updateLabMessage(tx, messageId, { ...reason, ...end })
    return isFinal
  })
  if (!isGivenUp) throw error
  const err = problemClass === 'fault' ? { err: error } : {}
  const about = { environmentId: scope.environment.id, messageId, problemClass, problem }
  log.warn({ ...about, ...err }, 'a laboratory message was not applied')
}

/** Returns why a message was not applied, by codes and error names, never by its content. */
function problemOf(error: unknown): { problemClass: ProblemClass; problem: string } {
  if (error instanceof UnreadableMessage) {
    return { problemClass: 'unreadable', problem: error.reason }
  }
  if (error instanceof MessageRefused) {
    return { problemClass: MESSAGE_PROBLEMS[error.problem][0], problem: error.problem }
  }
  if (error instanceof SampleIdTaken) return { problemClass: 'refused', problem: 'sample_id_taken' }
  if (error instanceof AppError) return { problemClass: 'refused', problem: error.errorType }
  return { problemClass: 'fault', problem: error instanceof Error ? error.name : 'Error' }
}

async function applyMessage(
  gateways: LabGateways,
  tx: ResultTransaction,
  message: LabMessageRow,
  about: { orderId: string | null },
): Promise<Outcome> {
  const gateway = await gateways.byName(tx.environment, message.gateway)
  if (gateway === undefined) throw new MessageRefused('unknown_gateway')
  const { content_type: contentType, content } = message
  let outcome: Outcome = { state: 'ignored', orderId: null }
  for (const update of gateway.read({ contentType, content })) {
    const next = await applyOne(tx, message, update, about)
    // An applied update describes the message better than an ignored one.
    if (next.state !== 'ignored' || outcome.orderId === null) outcome = next
  }
  return outcome
}

/** Updates that give an order its sample id, by which a held result may then be matched. */
const TELLS_NUMBER = new Set<OrderUpdate['kind']>(['requisition_accepted', 'kit_dispatched'])

async function applyOne(
  tx: ResultTransaction,
  message: LabMessageRow,
  update: OrderUpdate,
  about: { orderId: string | null },
): Promise<Outcome> {
  const givenAt = update.at === undefined ? undefined : parseInstant(update.at)
  const at = givenAt === undefined ? message.received_at : new Date(givenAt.epochMilliseconds)
  const orderId = await findReferencedOrder(tx, message.gateway, update.order)
  about.orderId = orderId ?? null
  if (update.kind === 'report') {
    const { labSlug } = update.order
    const about = { message: update.report, labSlug, messageId: message.id, at, orderId }
    const outcome = await receiveResultMessage(tx, about)
    if (outcome.orderId !== null) await recordFillers(tx, message, outcome.orderId, update)
    return outcome
  }
  const order = orderId && (await lockOrder(tx, orderId))
  if (!order) throw new MessageRefused('unknown_order')
  const { effect } = await applyUpdate(tx, order, update, at)
  await recordFillers(tx, message, order.id, update)
  if (TELLS_NUMBER.has(update.kind)) await rematchHeldResults(tx, order.id, at)
  return { state: effect === 'ignored' ? 'ignored' : 'processed', orderId: order.id }
}

/** Records the numbers of the laboratory, by which its later messages may name the order. */
async function recordFillers(
  tx: ResultTransaction,
  { gateway }: LabMessageRow,
  orderId: string,
  update: OrderUpdate,
): Promise<void> {
  const tests = update.kind === 'report' ? Object.values(update.report.tests ?? {}) : []
  const reported = tests.flatMap(({ filler_number: number }) => number ?? [])
  const numbers = new Set([...(update.order.fillerNumbers ?? []), ...reported])
  const fillers = [...numbers].map((number) => ({ kind: 'filler' as const, number }))
  await awaitWithCommit(tx.db, recordNumbers(tx, gateway, orderId, fillers))
}
