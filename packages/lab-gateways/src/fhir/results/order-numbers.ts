import { stripNumber } from '../../hl7/connection/strip-number.ts'
import type { FhirRules } from '../connection.ts'
import { codingsOf, type Json, objectOf, objectsOf, textOf } from '../json.ts'
import { TEST_SYSTEM } from '../systems.ts'
import { type Resource, type Resources, relativeOf } from './resources.ts'

/** The numbers by which a report names its order. */
export interface OrderNumbers {
  placers: string[]
  fillers: string[]
  /** Numbers of the requisition. */
  requisitions: string[]
}

const distinct = (numbers: readonly string[]): string[] => [...new Set(numbers)]

/** Identifiers by the type of table 0203: PLAC of the orderer, FILL of the laboratory. */
function numbersIn(identifiers: unknown, otherKind: 'placer' | 'filler', rules: FhirRules) {
  const found = { placers: [] as string[], fillers: [] as string[] }
  for (const identifier of objectsOf(identifiers)) {
    const sent = textOf(identifier.value)
    if (sent === null) continue
    const isTest = textOf(identifier.system) === TEST_SYSTEM
    // The number of one test has the number of its marker behind that of the order.
    const number = stripNumber(rules.stripFromResults, isTest ? sent.replace(/\.\d+$/, '') : sent)
    const types = codingsOf(identifier.type).map(({ code }) => textOf(code))
    const isPlacer = isTest || types.includes('PLAC')
    const isFiller = types.includes('FILL')
    const kind = isPlacer ? 'placer' : isFiller ? 'filler' : otherKind
    found[kind === 'placer' ? 'placers' : 'fillers'].push(number)
  }
  return found
}

/** Reads the numbers of a ServiceRequest. Its id there is a number of the laboratory. */
export function numbersOfRequest({ json, container }: Resource, rules: FhirRules): OrderNumbers {
  const { placers, fillers } = numbersIn(json.identifier, 'placer', rules)
  // Ids of contained resources are unique within their container only.
  const id = container === null ? textOf(json.id) : null
  const requisition = textOf(objectOf(json.requisition).value)
  return {
    placers: distinct(placers),
    fillers: distinct([...fillers, ...(id === null ? [] : [`ServiceRequest/${id}`])]),
    requisitions: requisition === null ? [] : [stripNumber(rules.stripFromResults, requisition)],
  }
}

/**
 * Reads the numbers of a report: its own identifiers, and those of its orders by reference and by
 * identifier.
 */
export function numbersOfReport(
  report: Resource,
  resources: Resources,
  rules: FhirRules,
): OrderNumbers {
  const own = numbersIn(report.json.identifier, 'filler', rules)
  const based = numbersOfReferences(objectsOf(report.json.basedOn), report, resources, rules)
  return {
    placers: distinct([...based.placers, ...own.placers]),
    fillers: distinct([...own.fillers, ...based.fillers]),
    requisitions: based.requisitions,
  }
}

/** Reads the numbers of the orders to which a resource refers, by reference and by identifier. */
export function numbersOfReferences(
  references: readonly Json[],
  from: Resource,
  resources: Resources,
  rules: FhirRules,
): OrderNumbers {
  const each = references.map((reference) =>
    numbersOfReference(reference, resources.find(reference, from), rules),
  )
  return {
    placers: distinct(each.flatMap(({ placers }) => placers)),
    fillers: distinct(each.flatMap(({ fillers }) => fillers)),
    requisitions: distinct(each.flatMap(({ requisitions }) => requisitions)),
  }
}

function numbersOfReference(
  reference: Json,
  found: Resource | undefined,
  rules: FhirRules,
): OrderNumbers {
  const logical = numbersIn(reference.identifier, 'placer', rules)
  const relative = relativeOf(textOf(reference.reference) ?? '')
  const request =
    found?.type === 'ServiceRequest'
      ? numbersOfRequest(found, rules)
      : { placers: [], fillers: [], requisitions: [] }
  return {
    placers: [...request.placers, ...logical.placers],
    fillers: [...request.fillers, ...logical.fillers, ...(relative === null ? [] : [relative])],
    requisitions: request.requisitions,
  }
}
