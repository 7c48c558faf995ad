import { UnreadableMessage } from '@salus/contracts/lab-gateway'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import type { Db } from '@salus/kernel/postgres/database'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { Gauge, type Registry } from 'prom-client'
import type { LabGateways } from '../gateways/index.ts'
import { addMessageJob } from './inbox.service.ts'
import { countFailedMessages } from './lab-messages.global.repository.ts'
import {
  findLabMessage,
  type LabMessageRow,
  type LabMessageSummary,
  listLabMessages,
  lockLabMessage,
  updateLabMessage,
} from './lab-messages.repository.ts'
import type { LabMessage, LabMessageDetail, LabMessageQuery } from './lab-messages.schema.ts'
import { describeProblem } from './message-problems.registry.ts'

const PAGES = new KeysetPages({ id: UUID_KEY })

/** Returns messages that failed or wait for an attempt. @throws AppError 400 `invalid_cursor` */
export async function listMessages(
  scope: Scope,
  { state = 'failed', limit, next_cursor: cursor }: LabMessageQuery,
) {
  const list = ['lab_message', scope.environment.id, state]
  const afterId = PAGES.read(list, cursor)?.id ?? null
  const found = await listLabMessages(scope, state, { afterId, limit: limit + 1 })
  const { page, nextCursor } = PAGES.cut(list, found, limit, (row) => row)
  return { data: page.map(toMessage), next_cursor: nextCursor }
}

/** Returns a message as operators see it, without its content. */
export function toMessage(row: LabMessageSummary): LabMessage {
  const { problem_class: problemClass, problem } = row
  return {
    id: row.id,
    gateway: row.gateway,
    state: row.state,
    content_type: row.content_type,
    problem_class: problemClass,
    problem,
    message:
      problemClass === null || problem === null ? null : describeProblem(problemClass, problem),
    failed_attempts: row.attempts,
    order_id: row.order_id,
    received_at: formatInstant(row.received_at),
    processed_at: row.processed_at && formatInstant(row.processed_at),
  }
}

/**
 * Returns one message with the kinds of its updates.
 * @throws AppError 404 `lab_message_not_found`
 */
export async function getMessage(
  scope: Scope,
  gateways: LabGateways,
  id: string,
): Promise<LabMessageDetail> {
  const row = await findLabMessage(scope, id)
  if (row === undefined) throw notFoundCode('lab_message_not_found')
  return {
    ...toMessage(row),
    size_bytes: row.content.length,
    ...(await readUpdates(scope, gateways, row)),
  }
}

/**
 * Returns the kinds of the updates in a message and the identifiers of their orders; null where the
 * gateway cannot read it.
 */
async function readUpdates(
  { environment }: Scope,
  gateways: LabGateways,
  row: LabMessageRow,
): Promise<Pick<LabMessageDetail, 'updates' | 'names'>> {
  const { content_type: contentType, content } = row
  try {
    const gateway = await gateways.byName(environment, row.gateway)
    const updates = gateway?.read({ contentType, content })
    if (updates === undefined) return NOT_READ
    const names = updates.map(({ order }) => ({
      lab: order.labSlug,
      order_id: order.orderId ?? null,
      placer_numbers: order.placerNumbers ?? [],
      filler_numbers: order.fillerNumbers ?? [],
      sample_id: order.sampleId ?? null,
    }))
    return { updates: updates.map(({ kind }) => kind), names }
  } catch (error) {
    if (error instanceof UnreadableMessage) return NOT_READ
    throw error
  }
}

const NOT_READ = { updates: null, names: null }

/**
 * Retries a failed message with the full number of attempts.
 * @throws AppError 404 `lab_message_not_found`; 400 `lab_message_not_failed`
 */
export function retryMessage(scope: Scope, id: string): Promise<LabMessage> {
  return scope.transaction(async (tx) => {
    await requireFailed(tx, id)
    const waiting = { state: 'waiting' as const, attempts: 0, processed_at: null }
    const row = await updateLabMessage(tx, id, waiting)
    await addMessageJob(tx, id)
    return toMessage(row)
  })
}

/**
 * Discards a failed message permanently and deletes its content.
 * @throws AppError 404 `lab_message_not_found`; 400 `lab_message_not_failed`
 */
export function discardMessage(scope: Scope, id: string): Promise<LabMessage> {
  return scope.transaction(async (tx) => {
    await requireFailed(tx, id)
    return toMessage(
      await updateLabMessage(tx, id, { state: 'discarded', content: Buffer.alloc(0) }),
    )
  })
}

async function requireFailed(tx: Parameters<typeof lockLabMessage>[0], id: string): Promise<void> {
  const row = await lockLabMessage(tx, id)
  if (row === undefined) throw notFoundCode('lab_message_not_found')
  if (row.state !== 'failed') {
    throw badRequest('lab_message_not_failed', 'Only a failed message can be retried or discarded.')
  }
}

/**
 * Registers the number of failed messages in all environments, counted when metrics are scraped.
 */
export function registerLabMessageMetric(registry: Registry, db: Db): void {
  const gauge = new Gauge({
    name: 'salus_failed_lab_messages',
    help: 'Laboratory messages that failed and were neither retried nor discarded.',
    registers: [registry],
    async collect() {
      // Without the database this metric is left out, and the others still work.
      const count = await countFailedMessages(db).catch(() => undefined)
      if (count === undefined) gauge.remove()
      else gauge.set(count)
    },
  })
}
