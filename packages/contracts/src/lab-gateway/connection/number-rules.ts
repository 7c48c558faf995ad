import type { ConnectionProfile, LabConnectionConfig } from './lab-connection.schema.ts'

type Numbers = Exclude<LabConnectionConfig['numbers'], undefined>
type Given<T> = Exclude<T, undefined>

/** How the numbers of orders are made: what a file says, with the defaults of its profile. */
export interface NumberRules {
  placer: { [K in keyof Given<Numbers['placer']>]-?: Given<Given<Numbers['placer']>[K]> }
  requisition: {
    source: 'placer' | 'range' | 'laboratory'
    /** First and last number that the laboratory reserved; undefined for another source. */
    range: { first: number; last: number } | undefined
    check_digit: 'none' | 'mod10'
  }
}

/** Most characters of a placer number. Systems of 2.3 store fewer than the standard allows. */
const MOST_CHARACTERS: Readonly<Record<ConnectionProfile, number>> = {
  'hl7-2.3-legacy': 15,
  'hl7-2.3.1-legacy': 15,
  'loi-lri-2.5.1': 50,
  'fhir-r4': 50,
}

/** Completes the rules of a connection for its numbers. A range that is given is used. */
export function numberRulesOf({
  profile,
  numbers = {},
}: Pick<LabConnectionConfig, 'profile' | 'numbers'>): NumberRules {
  const { source, range, check_digit = 'none' } = numbers.requisition ?? {}
  return {
    placer: {
      format: 'SA{counter:8}',
      max_length: MOST_CHARACTERS[profile],
      per: 'requisition',
      ...numbers.placer,
    },
    requisition: { source: source ?? (range ? 'range' : 'placer'), range, check_digit },
  }
}
