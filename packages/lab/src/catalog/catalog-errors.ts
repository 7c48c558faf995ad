import { type AppError, badRequest, notFoundCode } from '@salus/kernel/errors'

/** Refusals that several endpoints share (docs/contract/10-labs-and-tests.md). */

export function labTestNotFound(): AppError {
  return notFoundCode('lab_test_not_found')
}

/**
 * Refusal for an unknown marker, and for one that cannot be ordered or that the lab account does
 * not offer.
 */
export function markerNotFound(): AppError {
  return notFoundCode('marker_not_found')
}

export function methodNotSupported(): AppError {
  return badRequest('method_not_supported', 'The laboratory does not offer this collection method.')
}

export function labAccountInvalid(): AppError {
  return badRequest(
    'lab_account_invalid',
    'The lab account is unknown, inactive, belongs to another laboratory, or does not offer what is ordered.',
  )
}
