import type { LabConnectionConfig } from '@salus/contracts/lab-gateway'
import { compilePattern } from '@salus/kernel/operator-patterns'
import type { ConnectionProblem } from '../hl7/connection/connection-problems.ts'

type Codes = Exclude<LabConnectionConfig['codes'], undefined>

/** The rules of a connection with the profile `fhir-r4`. */
export interface FhirRules {
  lab: string
  /** IANA zone of days without a time. */
  timeZone: string
  /** System of the laboratory's codes. */
  orderableSystem: string
  codes: Required<
    Pick<Codes, 'to_loinc' | 'units' | 'flags' | 'missing_words' | 'failure' | 'payor'>
  >
  stripFromResults: readonly RegExp[]
  isRequisitionOfLaboratory: boolean
  cancelBy: 'message' | 'telephone'
  scope: 'whole' | 'part'
  match: readonly string[]
}

/** Returns the rules of a connection whose problems were looked for. */
export function resolveFhirConnection(config: LabConnectionConfig): FhirRules {
  const { codes = {}, numbers = {}, order = {}, result = {} } = config
  return {
    lab: config.lab,
    timeZone: config.time_zone,
    orderableSystem: codes.orderable_system ?? `urn:salus:lab:${config.lab}:orderable`,
    codes: {
      to_loinc: codes.to_loinc ?? {},
      units: codes.units ?? {},
      flags: codes.flags ?? {},
      missing_words: codes.missing_words ?? ['TNP', 'DNR', 'QNS', 'TEST NOT PERFORMED'],
      failure: codes.failure ?? {},
      payor: codes.payor ?? {},
    },
    stripFromResults: numbers.strip_from_results?.map((each) => compilePattern(each)) ?? [],
    isRequisitionOfLaboratory: numbers.requisition?.source === 'laboratory',
    cancelBy: order.cancel ?? 'message',
    scope: result.scope === 'cumulative' ? 'whole' : 'part',
    match: result.match ?? ['placer', 'filler', 'specimen', 'requisition'],
  }
}

/** Settings by section that a connection with FHIR has; of the others, HL7 v2 has the fields. */
const SETTINGS: Readonly<Record<'numbers' | 'codes' | 'order' | 'result', readonly string[]>> = {
  numbers: ['placer', 'requisition', 'strip_from_results'],
  codes: ['orderable_system', 'payor', 'to_loinc', 'units', 'flags', 'missing_words', 'failure'],
  order: ['cancel'],
  result: ['scope', 'match'],
}
const OF_HL7 = 'This is a setting of HL7 v2, which the profile `fhir-r4` does not have.'

/** Finds ways and settings that do not fit the profile of a connection. */
export function findKindProblems(config: LabConnectionConfig): ConnectionProblem[] {
  const { orders, results, profile } = config
  const isFhir = profile === 'fhir-r4'
  const problems: ConnectionProblem[] = []
  if (orders !== undefined && (orders.kind === 'fhir') !== isFhir) {
    const message = isFhir
      ? 'The profile `fhir-r4` sends orders with the kind `fhir` only.'
      : 'The kind `fhir` is only for the profile `fhir-r4`.'
    problems.push({ path: 'orders.kind', message })
  }
  if (results !== undefined && results.kind !== 'http-receive') {
    if ((results.kind === 'fhir-poll') !== isFhir) {
      const message = isFhir
        ? 'The profile `fhir-r4` receives results with `fhir-poll` or `http-receive` only.'
        : 'The kind `fhir-poll` is only for the profile `fhir-r4`.'
      problems.push({ path: 'results.kind', message })
    }
  }
  return isFhir ? [...problems, ...findForeignSettings(config)] : problems
}

function findForeignSettings(config: LabConnectionConfig): ConnectionProblem[] {
  const whole = (['ack', 'envelope', 'processing_id'] as const).filter(
    (key) => config[key] !== undefined,
  )
  const within = Object.entries(SETTINGS).flatMap(([section, known]) =>
    Object.keys(config[section as keyof typeof SETTINGS] ?? {})
      .filter((key) => !known.includes(key))
      .map((key) => `${section}.${key}`),
  )
  return [...whole, ...within].map((path) => ({ path, message: OF_HL7 }))
}
