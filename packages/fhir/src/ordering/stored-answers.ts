import type { OperationOutcome } from '@medplum/fhirtypes'
import { AppError, InputError, type InputProblem } from '@salus/kernel/errors'
import type { ErrorType } from '@salus/kernel/errors.registry'
import { toOperationOutcome } from '../reading/index.ts'

/** Returns a stored refusal, which has the body of the other endpoints, as FHIR shows it. */
export function toOutcomeOfBody(status: number, body: { detail?: unknown }): OperationOutcome {
  const { detail } = body
  if (Array.isArray(detail)) return toOperationOutcome(new InputError(detail as InputProblem[]))
  const { error_type: type, error_message: message } =
    typeof detail === 'string'
      ? { error_type: /^\w+$/.test(detail) ? detail : 'not_found', error_message: detail }
      : (detail as { error_type: string; error_message: string })
  return toOperationOutcome(new AppError(status as 400, type as ErrorType as never, message))
}
