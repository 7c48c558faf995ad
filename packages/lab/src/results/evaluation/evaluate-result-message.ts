import type { Interpretation, ReportedResult, ReportedTest } from '@salus/contracts/lab-gateway'
import { formatInstant, parseInstant } from '@salus/kernel/time/instants'
import { positionOf, type Range } from '@salus/lab-report-parser/values'
import type { BiomarkerResult, MissingBiomarkerResult, ResultStatus } from '../results.schema.ts'
import type { ReportContent } from '../results.tables.ts'
import { type Expectation, expectedOriginOf } from './expected-results.ts'
import { interpretFlags, interpretResult, worstOf } from './interpretation.ts'
import { findMissing, performedResults } from './missing-results.ts'
import { findParent, toPanel, toParent } from './ordered-tests.ts'
import { parseRange, rangeOfValue } from './reference-range.ts'
import { isTimed } from './timed-results.ts'

/** A result message, evaluated against the order. */
export interface EvaluatedMessage {
  status: ResultStatus
  results: BiomarkerResult[]
  missing_results: MissingBiomarkerResult[]
  interpretation: Interpretation
}

/**
 * Evaluates a result message against the order: ranges, interpretations, slugs, the markers of each
 * result, and missing results. `sampleId` is the key of its sample information.
 */
export function evaluateResultMessage(
  message: ReportContent,
  expectations: readonly Expectation[],
  sampleId: string,
): EvaluatedMessage {
  const results = performedResults(message).map((result) =>
    toBiomarkerResult(message, result, expectations, sampleId),
  )
  return {
    status: message.status === 'partial' ? 'partial' : 'final',
    results,
    missing_results: findMissing(message, expectations),
    interpretation: worstOf(results.map(({ interpretation }) => interpretation)),
  }
}

const NOWHERE = { isAboveMax: null, isBelowMin: null }

/** Returns the wire object of a result (docs/contract/13-results.md#biomarkerresult). */
function toBiomarkerResult(
  message: ReportContent,
  reported: ReportedResult,
  expectations: readonly Expectation[],
  sampleId: string,
): BiomarkerResult {
  const { type, flag } = reported
  const isCoded = type === 'coded_value'
  const reference = isCoded ? null : referenceOf(reported)
  const value = rangeOfValue(type, reported.result)
  const position =
    value !== null && reference !== null ? positionOf(value, reference) : { ...NOWHERE }
  const origin = expectedOriginOf(reported, expectations)
  const test = reported.test === undefined ? undefined : message.tests?.[reported.test]
  const flags = reported.flags ?? (flag === null ? [] : [flag])
  const parsedTime = reported.timestamp === null ? undefined : parseInstant(reported.timestamp)
  return {
    name: reported.name,
    slug: origin.slug,
    result: reported.result,
    type,
    result_type: type,
    unit: isCoded ? null : reported.unit,
    timestamp: parsedTime === undefined ? null : formatInstant(parsedTime.epochMilliseconds),
    notes: notesOf(reported),
    reference_range: isCoded ? null : reported.reference_range,
    min_range_value: reference?.low ?? null,
    max_range_value: reference?.high ?? null,
    is_above_max_range: position.isAboveMax,
    is_below_min_range: position.isBelowMin,
    interpretation: interpretResult(interpretFlags(flags, reported), position, reference, flags),
    source_interpretation: flag ?? '',
    loinc: origin.loinc,
    loinc_slug: origin.loincSlug,
    provider_id: reported.provider_id,
    source_markers: origin.markers ?? markersOfParent(message, test, expectations),
    performing_laboratory: reported.performing_laboratory,
    source_sample_id: sampleId,
    status: reported.status ?? 'final',
    flags: flags.length === 0 ? null : flags,
    sub_id: reported.sub_id ?? null,
    specimen_type: test?.specimen?.type ?? null,
    collected_at: collectionOf(message, reported, test),
    panel: toPanel(test),
    parent: toParent(message, test),
  }
}

/** Returns when the specimen of a result was drawn: its own time, else that of its test. */
function collectionOf(
  { collected_at: ofReport, results }: ReportContent,
  reported: ReportedResult,
  test: ReportedTest | undefined,
): string | null {
  const own = isTimed(reported, results) ? reported.observed_at : undefined
  const time = own ?? (test?.collected_at ?? ofReport)?.timestamp
  const parsed = time === undefined ? undefined : parseInstant(time)
  return parsed ? formatInstant(parsed.epochMilliseconds) : null
}

/** Returns the markers of the result that led to a test, for results that no marker expects. */
function markersOfParent(
  { tests = {}, results }: ReportContent,
  test: ReportedTest | undefined,
  expectations: readonly Expectation[],
): BiomarkerResult['source_markers'] {
  const parent = test?.parent ?? null
  const found = parent === null ? undefined : findParent(tests, results, parent)
  return found === undefined ? null : expectedOriginOf(found, expectations).markers
}

/**
 * Returns the reference range of a result. Numeric bounds of the laboratory take precedence over
 * those of the printed range, which alone shows whether a bound belongs to the range.
 */
function referenceOf(reported: ReportedResult): Range | null {
  const printed = parseRange(reported.reference_range)
  const { min_range_value: min, max_range_value: max } = reported
  if (min === null && max === null) return printed
  return {
    low: min ?? printed?.low ?? null,
    high: max ?? printed?.high ?? null,
    isLowInclusive: isInclusive(printed?.low, printed?.isLowInclusive, min),
    isHighInclusive: isInclusive(printed?.high, printed?.isHighInclusive, max),
  }
}

/**
 * Returns whether a bound belongs to the range; the printed range applies only when it has the same
 * bound.
 */
function isInclusive(
  printed: number | null | undefined,
  isPrintedInclusive: boolean | undefined,
  bound: number | null,
): boolean {
  const isSame = printed !== null && printed !== undefined && (bound === null || bound === printed)
  return isSame ? isPrintedInclusive === true : true
}

/** Returns the comments, which also repeat the texts of ranges and comments. */
function notesOf({ type, result, notes }: ReportedResult): string | null {
  if (type !== 'range' && type !== 'comment') return notes
  if (notes === null || notes === '') return result
  return notes.includes(result) ? notes : `${result}\n${notes}`
}
