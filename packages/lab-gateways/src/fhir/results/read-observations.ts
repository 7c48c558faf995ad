import type {
  FailureType,
  MissingResult,
  NamedResult,
  ReportedResult,
} from '@salus/contracts/lab-gateway'
import { readBounds } from '../../hl7/results/codes.ts'
import type { ReadValue } from '../../hl7/results/observation-value.ts'
import { chooseFlag, failureIn, includesWord } from '../../hl7/results/read-observations.ts'
import type { FhirRules } from '../connection.ts'
import { codingsOf, firstText, type Json, objectOf, objectsOf, textOf, wordsOf } from '../json.ts'
import { type NamedCode, readFlags, readNamedCode, readUnit } from './codes.ts'
import type { FoundObservation } from './found-observations.ts'
import { type Standing, standingOf } from './observation-standing.ts'
import { amountOf, readFhirTime, readFhirValue } from './observation-value.ts'
import type { PerformingLaboratories } from './performing-laboratories.ts'
import type { Resource } from './resources.ts'

/** What the Observations of one test say. */
export interface ReadObservations {
  results: ReportedResult[]
  missing: MissingResult[]
  withdrawn: (NamedResult & { reason: 'deleted' })[]
  /** Standings of everything that is a result, an awaited or a cancelled one. */
  standings: Standing[]
  /** Texts that belong to no result. */
  remarks: string[]
}

/** What is needed to read the Observations of a report. */
export interface ObservationContext {
  rules: FhirRules
  laboratories: PerformingLaboratories
  /** Key of the test in its report. */
  test: string
  /** The report; its performer and its time are those of Observations without their own. */
  report: Resource
  /** Whether the whole report was entered in error. */
  isInError: boolean
}

/** Reads the Observations of one test, in their order. */
export function readObservations(
  found: readonly FoundObservation[],
  context: ObservationContext,
): ReadObservations {
  const reader = new ObservationReader(context)
  for (const each of found) reader.add(each)
  return reader.read
}

/** Codes of data-absent-reason after which no value will come. */
const PERFORMED_REASONS = ['temp-unknown', 'asked-unknown']

/** An Observation or one of its components, with what they share. */
interface Part {
  json: Json
  resource: Resource
  subId: string | null
  code: NamedCode
  notes: string | null
}

class ObservationReader {
  readonly read: ReadObservations = {
    results: [],
    missing: [],
    withdrawn: [],
    standings: [],
    remarks: [],
  }
  readonly #context: ObservationContext
  /** How often a code and sub-id had a result, so that none is overwritten by another one. */
  readonly #seen = new Map<string, number>()

  constructor(context: ObservationContext) {
    this.#context = context
  }

  add({ resource, subId, isHeading }: FoundObservation): void {
    const { json } = resource
    const components = objectsOf(json.component)
    const standing = this.#context.isInError ? 'withdrawn' : standingOf(json.status)
    const part = { json, resource, subId, ...this.#named(json), notes: notesOf(json) }
    const { value } = readFhirValue(json)
    const isBare = value.kind === 'none' && json.dataAbsentReason === undefined
    // A heading over members or components has no value of its own.
    if (!isBare || (components.length === 0 && !isHeading)) this.#addPart(part, standing)
    else if (part.notes !== null) this.read.remarks.push(part.notes)
    for (const component of components) {
      this.#addPart(
        { json: component, resource, subId, ...this.#named(component), notes: notesOf(component) },
        standing,
      )
    }
  }

  #named = (json: Json) => ({ code: readNamedCode(json.code, this.#context.rules) })

  #addPart(part: Part, standing: Standing): void {
    const { json, code, notes } = part
    const { codes } = this.#context.rules
    const { value, quantity } = readFhirValue(json)
    const text = value.kind === 'value' ? value.text : null
    const absent = absentReasonOf(json)
    if (standing === 'withdrawn') {
      this.read.withdrawn.push({ ...this.#identity(part), reason: 'deleted' })
      return
    }
    if (standing === 'awaited' && text === null) {
      this.read.standings.push('awaited')
      return
    }
    const isMissing = text !== null && includesWord(codes.missing_words, text)
    if (standing === 'cancelled' || isMissing || (text === null && absent !== null)) {
      this.#miss(part, [text, absent?.words, notes])
      return
    }
    const shown: ReadValue =
      text === null && notes !== null ? { kind: 'value', type: 'comment', text: notes } : value
    if (shown.kind !== 'value') {
      // A final Observation without a value, a reason or a note has none to come.
      if (standing === 'preliminary') this.read.standings.push('awaited')
      else this.#miss(part, [])
      return
    }
    if (code.name === '' && code.provider_id === null && code.loinc === null) {
      this.read.remarks.push(shown.text)
      return
    }
    const own = standing === 'awaited' ? 'preliminary' : standing
    this.read.standings.push(own)
    this.read.results.push(this.#resultOf(part, own, shown, quantity))
  }

  #resultOf(
    part: Part,
    standing: Standing,
    { type, text }: Extract<ReadValue, { kind: 'value' }>,
    quantity: Json,
  ): ReportedResult {
    const { rules, laboratories, report } = this.#context
    const { json, resource, notes } = part
    const { unit, ucum } = readUnit(quantity, rules)
    const flags = readFlags(objectsOf(json.interpretation), rules)
    const issued =
      readFhirTime(resource.json.issued, rules.timeZone) ??
      readFhirTime(report.json.issued, rules.timeZone)
    return {
      ...this.#identity(part, true),
      status: standing === 'corrected' || standing === 'preliminary' ? standing : 'final',
      ...(flags.length > 0 && { flags }),
      ...(ucum !== null && { ucum }),
      method: wordsOf(resource.json.method),
      type,
      result: text,
      unit,
      ...readRange(json),
      flag: chooseFlag(flags),
      notes,
      timestamp: issued?.timestamp ?? null,
      performing_laboratory: laboratories.keyOf(resource) ?? laboratories.keyOf(report),
    }
  }

  #miss(part: Part, texts: readonly (string | null | undefined)[]): void {
    const note = [...new Set(texts.filter(Boolean))].join('\n') || null
    const { failure } = this.#context.rules.codes
    const absent = absentReasonOf(part.json)
    this.read.standings.push('cancelled')
    this.read.missing.push({
      ...this.#identity(part),
      failure_type: failureIn(note, failure) ?? absent?.failure ?? null,
      note,
    })
  }

  /** @param isResult Whether it is counted, so that a second one of a code has another sub-id */
  #identity({ code, subId }: Part, isResult = false): NamedResult {
    const key = JSON.stringify([code.provider_id ?? code.loinc ?? code.name, subId])
    const count = (this.#seen.get(key) ?? 0) + 1
    if (isResult) this.#seen.set(key, count)
    const sub = isResult && count > 1 ? `${subId ?? ''}#${count}` : subId
    return {
      test: this.#context.test,
      ...(sub !== null && { sub_id: sub }),
      ...code,
      name: code.name || code.provider_id || code.loinc || '',
    }
  }
}

/** The texts of notes, one to a line. */
export function notesOf({ note }: Json): string | null {
  const texts = objectsOf(note).flatMap(({ text }) => textOf(text) ?? [])
  return texts.join('\n') || null
}

const FAILURES: Readonly<Record<string, FailureType>> = {
  error: 'internal_lab_failure',
  'not-performed': 'unknown_failure',
}

function absentReasonOf({
  dataAbsentReason: reason,
}: Json): { words: string | null; failure: FailureType | null } | null {
  if (reason === undefined) return null
  const code = textOf(codingsOf(reason)[0]?.code) ?? ''
  if (PERFORMED_REASONS.includes(code)) return null
  const failure = Object.hasOwn(FAILURES, code) ? (FAILURES[code] ?? null) : null
  return { words: wordsOf(reason), failure }
}

/** The first range for people like the patient: text, and bounds as numbers. */
function readRange(
  json: Json,
): Pick<ReportedResult, 'reference_range' | 'min_range_value' | 'max_range_value'> {
  const ranges = objectsOf(json.referenceRange)
  const isNormal = (range: Json) => {
    const codes = codingsOf(range.type).map(({ code }) => textOf(code))
    return codes.length === 0 || codes.includes('normal')
  }
  const range = objectOf(ranges.find(isNormal))
  const [low, high] = [amountOf(range.low), amountOf(range.high)]
  const printed = firstText(range.text, rangeText(low, high))
  const bounds = readBounds(printed)
  return {
    reference_range: printed,
    min_range_value: numberOf(low) ?? bounds.low,
    max_range_value: numberOf(high) ?? bounds.high,
  }
}

function rangeText(low: string | null, high: string | null): string | null {
  if (low !== null && high !== null) return `${low}-${high}`
  if (low !== null) return `>=${low}`
  return high === null ? null : `<=${high}`
}

function numberOf(text: string | null): number | null {
  const number = Number(text?.replace(/^[<>]=?/, '') ?? Number.NaN)
  return Number.isFinite(number) ? number : null
}
