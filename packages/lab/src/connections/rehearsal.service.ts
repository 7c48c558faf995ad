import { createHash } from 'node:crypto'
import {
  numberRulesOf,
  type OpenedConnection,
  type OrderUpdate,
  UnreadableMessage,
} from '@salus/contracts/lab-gateway'
import type { Scope } from '@salus/kernel/scope'
import { findOrder, listNumbersOfOrder, makeRequisition } from '../orders/index.ts'
import type { ConnectionParts } from './connection-parts.ts'
import type { ConnectionRow } from './connections.global.repository.ts'
import type { Rehearsal, RehearsalInput } from './connections.schema.ts'
import { requireConnectionRow } from './connections.service.ts'
import { allocateNumbers } from './numbers.ts'

/**
 * Writes the messages that orders would become, and reads sample results, for the sign-off of the
 * laboratory. Nothing is sent and nothing is stored. The answer has personal data of both.
 * @throws AppError 404 `lab_connection_not_found`
 */
export async function rehearse(
  scope: Scope,
  { registry }: ConnectionParts,
  name: string,
  { order_ids: orderIds = [], messages = [] }: RehearsalInput,
): Promise<Rehearsal> {
  const row = await requireConnectionRow(scope, name)
  const opened = registry.openRow(row, scope.environment.kind)
  const orders: Rehearsal['orders'] = []
  for (const id of orderIds) orders.push(await writeOne(scope, row, opened, id))
  return { orders, messages: messages.flatMap((message) => readOne(opened, message)) }
}

async function writeOne(
  scope: Scope,
  row: ConnectionRow,
  opened: OpenedConnection,
  orderId: string,
): Promise<Rehearsal['orders'][number]> {
  const order = await findOrder(scope, orderId)
  if (order === undefined) return { order_id: orderId, problem: 'order_not_found', content: null }
  const requisition = await makeRequisition(scope, order)
  const { numbers } = allocateNumbers({
    rules: numberRulesOf(row.config),
    next: {
      placer: Number(row.next_placer),
      requisition: row.next_requisition === null ? null : Number(row.next_requisition),
    },
    known: await listNumbersOfOrder(scope, opened.gateway.name, orderId),
    order: { markerIds: order.marker_ids, sampleId: order.sample_id },
  })
  const content = opened.writeOrder(requisition, { ...numbers, controlId: 'REHEARSAL' })
  return { order_id: orderId, problem: null, content: content.toString('base64') }
}

type ReadMessage = Rehearsal['messages'][number]

/** Reads a file, which may have several messages. */
function readOne(
  { gateway, split }: OpenedConnection,
  { name, content }: { name: string; content: string },
): ReadMessage[] {
  const parts = split(Buffer.from(content, 'base64'))
  return parts.map((message, index) => {
    const label = parts.length > 1 ? `${name}#${index + 1}` : name
    try {
      return { name: label, problem: null, updates: gateway.read(message).map(showUpdate) }
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error
      return { name: label, problem: error.reason, updates: [] }
    }
  })
}

function showUpdate(update: OrderUpdate): ReadMessage['updates'][number] {
  const { placerNumbers = [], fillerNumbers = [], sampleId } = update.order
  const named = [...placerNumbers, ...fillerNumbers, ...(sampleId ? [sampleId] : [])]
  const numbers = [...new Set(named)]
  if (update.kind !== 'report') {
    return { kind: update.kind, numbers, patient: null, results: [], missing: [], documents: [] }
  }
  const { report } = update
  const pdf = report.pdf === null ? [] : [{ name: 'report', content: report.pdf }]
  return {
    kind: update.kind,
    numbers,
    patient: report.patient,
    results: report.results.map((result) => ({
      test: result.test ?? null,
      code: result.provider_id,
      loinc: result.loinc,
      sub_id: result.sub_id ?? null,
      name: result.name,
      value: result.result,
      unit: result.unit,
      range: result.reference_range,
      flags: result.flags ?? (result.flag === null ? [] : [result.flag]),
      status: result.status ?? 'final',
      notes: result.notes,
    })),
    missing: report.missing_results.map((missing) => missing.name),
    documents: [
      ...pdf.map((document) => ({ ...document, content_type: 'application/pdf' })),
      ...(report.documents ?? []),
    ].map((document) => ({
      name: document.name,
      content_type: document.content_type,
      sha256: createHash('sha256').update(Buffer.from(document.content, 'base64')).digest('hex'),
    })),
  }
}
