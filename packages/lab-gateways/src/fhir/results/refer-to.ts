import type { OrderReference } from '@salus/contracts/lab-gateway'
import type { FhirRules } from '../connection.ts'
import type { OrderNumbers } from './order-numbers.ts'

/** Returns how an update names its order, by the ways that the connection has. */
export function referTo(
  { placers, fillers, requisitions }: OrderNumbers,
  rules: FhirRules,
): OrderReference {
  const has = (way: string) => rules.match.includes(way)
  const sampleId = has('requisition') ? requisitions[0] : undefined
  return {
    ...(has('placer') && placers.length > 0 && { placerNumbers: placers }),
    ...(has('filler') && fillers.length > 0 && { fillerNumbers: fillers }),
    ...(sampleId !== undefined && { sampleId }),
    labSlug: rules.lab,
  }
}
