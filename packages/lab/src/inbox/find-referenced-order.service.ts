import type { OrderReference } from '@salus/contracts/lab-gateway'
import { isUuid } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { findLabBySlug, type LabRow } from '../catalog/index.ts'
import {
  findOrder,
  findOrderBySampleId,
  type LabNumberKind,
  listOrdersByNumber,
  type OrderRow,
} from '../orders/index.ts'
import { MessageRefused } from './message-problems.registry.ts'

/**
 * Returns the order that an update of a gateway names, by the first of its names that is known: our
 * id, a placer number, a filler number, the sample id, the number of the paper requisition. Only
 * orders of the laboratory count. Undefined when none is known.
 * @throws MessageRefused for an unknown laboratory, and for numbers of several orders
 */
export async function findReferencedOrder(
  scope: Scope,
  gateway: string,
  { orderId, placerNumbers = [], fillerNumbers = [], sampleId, labSlug }: OrderReference,
): Promise<string | undefined> {
  const ofNumbers = (kind: LabNumberKind, numbers: readonly string[]) =>
    listOrdersByNumber(scope, { gateway, kind, numbers })
  // In a transaction they share a round trip.
  const [lab, named, placed] = await Promise.all([
    findLabBySlug(scope.db, labSlug),
    orderId !== undefined && isUuid(orderId) ? findOrder(scope, orderId) : undefined,
    ofNumbers('placer', placerNumbers),
  ])
  if (lab === undefined) throw new MessageRefused('unknown_laboratory')
  if (named) return named.id
  const byNumber = async (kind: LabNumberKind, numbers: readonly string[]) =>
    onlyOrderOf(lab, await ofNumbers(kind, numbers))
  const sampleIds = sampleId === undefined ? [] : [sampleId]
  const found =
    onlyOrderOf(lab, placed) ??
    (await byNumber('filler', fillerNumbers)) ??
    (sampleId === undefined ? undefined : await findOrderBySampleId(scope, lab.id, sampleId)) ??
    (await byNumber('requisition', sampleIds))
  return found?.id
}

/** @throws MessageRefused when several orders of the laboratory are among them */
function onlyOrderOf(lab: LabRow, orders: readonly OrderRow[]): OrderRow | undefined {
  const [found, other] = orders.filter(({ lab_id: labId }) => labId === lab.id)
  if (other !== undefined) throw new MessageRefused('several_orders')
  return found
}
