import type { OperationOutcome, OperationOutcomeIssue } from '@medplum/fhirtypes'
import { type AppError, InputError } from '@salus/kernel/errors'

/** Media type of FHIR resources as JSON. */
export const FHIR_JSON = 'application/fhir+json'

type IssueCode = OperationOutcomeIssue['code']

/** Issue types of FHIR (https://hl7.org/fhir/R4/valueset-issue-type.html) by HTTP status. */
const CODES: Readonly<Record<number, IssueCode>> = {
  400: 'invalid',
  401: 'login',
  403: 'forbidden',
  404: 'not-found',
  405: 'not-supported',
  406: 'not-supported',
  409: 'conflict',
  410: 'deleted',
  413: 'too-costly',
  415: 'not-supported',
  422: 'processing',
  429: 'throttled',
  503: 'transient',
}

/** System of the codes of docs/errors.md. */
const ERROR_CODES = 'urn:salus:error'

/**
 * Returns an error as FHIR shows it: the code of Salus in `details`, and one issue for each problem
 * of a request that does not match its schema.
 */
export function toOperationOutcome(error: AppError): OperationOutcome {
  const { status, errorType, message, extra } = error
  const code = CODES[status] ?? 'exception'
  const details = { coding: [{ system: ERROR_CODES, code: errorType }], text: message }
  if (error instanceof InputError) {
    const issue = error.problems.map(
      ({ loc, msg, type }): OperationOutcomeIssue => ({
        severity: 'error',
        code: 'invalid',
        details: { coding: [{ system: ERROR_CODES, code: type }], text: msg },
        expression: [loc.slice(1).join('.') || loc[0]],
      }),
    )
    return { resourceType: 'OperationOutcome', issue }
  }
  const { parameter, expression } = extra
  const where = typeof parameter === 'string' ? `http.${parameter}` : expression
  return {
    resourceType: 'OperationOutcome',
    issue: [
      {
        severity: 'error',
        code,
        details,
        ...(typeof where === 'string' && { expression: [where] }),
      },
    ],
  }
}

/** Returns the note of a search about parameters that it ignored. */
export function toIgnoredOutcome(names: readonly string[]): OperationOutcome {
  return {
    resourceType: 'OperationOutcome',
    id: 'ignored-parameters',
    issue: names.map((name) => ({
      severity: 'warning',
      code: 'not-supported',
      details: {
        coding: [{ system: ERROR_CODES, code: 'unknown_search_parameter' }],
        text: 'The search parameter is not known, and was ignored.',
      },
      expression: [`http.${name}`],
    })),
  }
}
