import type {
  MissingResult,
  PerformingLaboratory,
  ReportedResult,
  ReportedTest,
  ResultMessage,
} from '@salus/contracts/lab-gateway'
import type { FieldValue, NewSegment } from '@salus/hl7v2'

interface OfTest {
  key: string
  test: ReportedTest
  /** Whether the message is of 2.5 or later. */
  isModern: boolean
}

/** OBX-11 by the standing of a result. */
const STATUSES = { preliminary: 'P', final: 'F', corrected: 'C' } as const

/** Writes the results of a test, and those that are missing: OBX, each with its notes. */
export function resultSegments(report: ResultMessage, of: OfTest): NewSegment[] {
  const results = report.results.filter(({ test }) => test === of.key)
  const missing = report.missing_results.filter(({ test }) => test === of.key)
  return [
    ...results.flatMap((each, index) => [
      observationOf(each, index + 1, report, of),
      ...nteSegments(each.notes),
    ]),
    ...missing.flatMap((each, index) => [
      missingOf(each, results.length + index + 1, of),
      ...nteSegments(each.note),
    ]),
  ]
}

function observationOf(
  result: ReportedResult,
  set: number,
  report: ResultMessage,
  { test, isModern }: OfTest,
): NewSegment {
  const key = result.performing_laboratory
  const laboratory = report.performing_laboratories[key ?? '']
  const { type, value } = observedValue(result, isModern)
  // A test with more to come has no final results yet.
  const standing = test.status === 'preliminary' ? 'preliminary' : (result.status ?? 'final')
  return {
    name: 'OBX',
    fields: {
      1: String(set),
      2: type,
      3: codeOf(result, isModern),
      4: result.sub_id,
      5: value,
      // Null would delete what the receiver has.
      6: result.unit ?? undefined,
      7: result.reference_range ?? undefined,
      8: result.flag ?? undefined,
      11: STATUSES[standing],
      ...(laboratory === undefined ? {} : performerOf(key ?? '', laboratory, isModern)),
    },
  }
}

function missingOf(missing: MissingResult, set: number, { isModern }: OfTest): NewSegment {
  return {
    name: 'OBX',
    fields: { 1: String(set), 2: 'ST', 3: codeOf(missing, isModern), 4: missing.sub_id, 11: 'X' },
  }
}

/** LOINC first since 2.5, as LRI has it; the laboratory's own code first before. */
function codeOf(
  { provider_id, loinc, name }: Pick<ReportedResult, 'provider_id' | 'loinc' | 'name'>,
  isModern: boolean,
): FieldValue {
  const own = provider_id === null ? [] : [provider_id, name, 'L']
  const standard = loinc === null ? [] : [loinc, name, 'LN']
  const both = isModern ? [...standard, ...own] : [...own, ...standard]
  return both.length === 0 ? ['', name] : both
}

const RANGE = /^(<=|>=|<|>)?(\d*\.?\d+)(?:(-)(\d*\.?\d+))?$/

/** OBX-2 and OBX-5: NM, SN for bounds and ranges, a coded value, or lines of text. */
function observedValue({ type, result }: ReportedResult, isModern: boolean) {
  if (type === 'numeric') return { type: 'NM', value: result as FieldValue }
  const [isRange, comparator, first, separator, second] = RANGE.exec(result) ?? []
  if (type === 'range' && isRange !== undefined) {
    return { type: 'SN', value: [comparator, first, separator, second] as FieldValue }
  }
  if (type === 'coded_value') {
    return { type: isModern ? 'CWE' : 'CE', value: [result, result, 'L'] as FieldValue }
  }
  return { type: 'TX', value: { repetitions: result.split('\n') } as FieldValue }
}

/** The laboratory that performed a result: OBX-23 to 25 since 2.5, else the key of ZPS. */
function performerOf(
  key: string,
  laboratory: PerformingLaboratory,
  isModern: boolean,
): Record<number, FieldValue> {
  if (!isModern) return { 15: key }
  const { name, medical_director: director } = laboratory
  return {
    23: [name, '', '', '', '', '', '', '', '', key],
    24: addressOf(laboratory),
    25: director === null ? undefined : ['', ...directorOf(director)],
  }
}

/** ZPS: the laboratory, as laboratories of older versions describe it once for a message. */
export function laboratorySegment({ performing_laboratories: all }: ResultMessage): NewSegment {
  const [key = '', laboratory] = Object.entries(all)[0] ?? []
  if (laboratory === undefined) return { name: 'ZPS', fields: { 1: '1' } }
  const { name, phone_number, medical_director: director } = laboratory
  return {
    name: 'ZPS',
    fields: {
      ...{ 1: '1', 2: key, 3: name, 4: addressOf(laboratory), 5: phone_number ?? '' },
      7: director === null ? undefined : directorOf(director),
    },
  }
}

/** Family name with its degree, and given name. */
function directorOf(name: string): string[] {
  const [given = '', ...family] = name.split(' ')
  return [family.join(' '), given]
}

function addressOf({ address }: PerformingLaboratory): FieldValue {
  if (address === null) return undefined
  const { first_line, second_line, city, state, zip, country } = address
  return [first_line, second_line ?? '', city, state, zip, country]
}

/** Notes, each line a segment. */
export function nteSegments(text: string | null): NewSegment[] {
  const lines = text === null ? [] : text.split('\n')
  return lines.map((line, index) => ({
    name: 'NTE',
    fields: { 1: String(index + 1), 2: 'L', 3: line },
  }))
}
