import type { FhirRules } from '../connection.ts'
import { codingsOf, firstText, type Json, objectOf, textOf, wordsOf } from '../json.ts'

/** A test or a result by the laboratory's code, its name and its LOINC code. */
export interface NamedCode {
  name: string
  provider_id: string | null
  loinc: string | null
}

const LOINC = 'http://loinc.org'

/**
 * Reads the codes of a CodeableConcept: LOINC by its system or by the map of the connection, and
 * the laboratory's own, which is the one of the connection's system where there are several.
 */
export function readNamedCode(concept: unknown, rules: FhirRules): NamedCode {
  const codings = codingsOf(concept).filter(({ code }) => textOf(code) !== null)
  const standard = codings.find(({ system }) => textOf(system) === LOINC)
  const others = codings.filter(({ system }) => textOf(system) !== LOINC)
  const own = others.find(({ system }) => textOf(system) === rules.orderableSystem) ?? others[0]
  const code = textOf(own?.code)
  const { to_loinc: map } = rules.codes
  const mapped = code !== null && Object.hasOwn(map, code) ? map[code] : undefined
  const name = firstText(objectOf(concept).text, own?.display, standard?.display)
  return {
    name: name ?? wordsOf(concept) ?? '',
    provider_id: code,
    loinc: mapped ?? textOf(standard?.code),
  }
}

/** The flags of interpretations: codes of HL7, or words where there is no code. */
export function readFlags(concepts: readonly Json[], { codes }: FhirRules): string[] {
  return concepts.flatMap((concept) => {
    const flag = firstText(codingsOf(concept)[0]?.code, wordsOf(concept))
    if (flag === null) return []
    return (Object.hasOwn(codes.flags, flag) ? codes.flags[flag] : undefined) ?? flag
  })
}

const UCUM = 'http://unitsofmeasure.org'

/** The unit of a Quantity as printed, and in UCUM. */
export function readUnit(
  quantity: Json,
  { codes }: FhirRules,
): { unit: string | null; ucum: string | null } {
  const code = textOf(quantity.code)
  const unit = firstText(quantity.unit, code)
  const mapped = unit !== null && Object.hasOwn(codes.units, unit) ? codes.units[unit] : undefined
  return { unit, ucum: mapped ?? (textOf(quantity.system) === UCUM ? code : null) }
}
