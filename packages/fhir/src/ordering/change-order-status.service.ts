import { invalidInput } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { cancelOrder } from '@salus/lab/orders'
import { readResource } from '../reading/index.ts'

/**
 * Changes the status of the ServiceRequest of an order: `revoked` cancels the order, and the status
 * that it has changes nothing.
 * @throws AppError 404; 400 `transition_not_allowed`; InputError 422 for another status
 */
export async function changeOrderStatus(
  scope: Scope,
  orderId: string,
  status: unknown,
): Promise<void> {
  const stored = await readResource(scope, 'ServiceRequest', orderId)
  if (stored.resourceType !== 'ServiceRequest' || stored.status === status) return
  if (status !== 'revoked')
    throw invalidInput(['body', 'status'], 'Input should be revoked', 'enum')
  await cancelOrder(scope, orderId)
}
