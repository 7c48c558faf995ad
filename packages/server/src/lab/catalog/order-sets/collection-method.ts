import { badRequest } from '../../../platform/errors.ts'
import { methodNotSupported } from '../catalog-errors.ts'
import type { CollectionMethod } from '../lab-catalog.schema.ts'
import type { OrderSet } from './order-set.ts'

/**
 * The method of an order: the one that is asked for, else the one that its tests share.
 * @throws AppError 400 `collection_method_required`, `multiple_methods`, `method_not_supported`
 */
export function decideMethod(
  set: Pick<OrderSet, 'lab' | 'addOnMarkerIds' | 'sharedMethod'>,
  given: CollectionMethod | null | undefined,
): CollectionMethod {
  const method = given ?? impliedMethod(set)
  if (!set.lab.collection_methods.includes(method)) throw methodNotSupported()
  return method
}

function impliedMethod({
  addOnMarkerIds,
  sharedMethod,
}: Pick<OrderSet, 'addOnMarkerIds' | 'sharedMethod'>): CollectionMethod {
  if (addOnMarkerIds.length > 0) {
    throw badRequest('collection_method_required', 'An order with an add-on must say its method.')
  }
  if (sharedMethod === null) {
    throw badRequest('multiple_methods', 'The lab tests have different methods. Say which to use.')
  }
  return sharedMethod
}
