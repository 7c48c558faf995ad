import type { FailureType, MissingResult, ReportedResult } from '@salus/contracts/lab-gateway'
import type { MissingBiomarkerResult } from '../results.schema.ts'
import type { ReportContent } from '../results.tables.ts'
import {
  type Expectation,
  expectedOriginOf,
  isSameResult,
  type ResultKey,
} from './expected-results.ts'
import { FAILURE_COMMENTS, NOT_PERFORMED_TEXTS } from './failure-comments.registry.ts'
import { isSameReported } from './ordered-tests.ts'

/** Infers from a laboratory's comment why there is no result; unknown without a reason. */
export function inferFailure(comment: string | null): FailureType {
  const text = comment?.toLowerCase().replaceAll(/\s+/g, ' ') ?? ''
  return FAILURE_COMMENTS.find(({ pattern }) => pattern.test(text))?.type ?? 'unknown_failure'
}

/** Returns true for a text in place of a value that says that there is none. */
export function isNotPerformed({ type, result }: Pick<ReportedResult, 'type' | 'result'>): boolean {
  if (type !== 'comment') return false
  const text = result
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/[.*]+$/, '')
  return NOT_PERFORMED_TEXTS.has(text.toUpperCase())
}

/** Returns the results with a value. */
export function performedResults({ results }: Pick<ReportContent, 'results'>): ReportedResult[] {
  return results.filter((result) => !isNotPerformed(result))
}

/**
 * Returns the missing results: those that the laboratory lists as missing and, in a final message,
 * required results that it does not mention.
 */
export function findMissing(
  message: ReportContent,
  expectations: readonly Expectation[],
): MissingBiomarkerResult[] {
  const delivered = performedResults(message)
  const isDelivered = (each: MissingResult) =>
    delivered.some((result) => isSameReported(result, each))
  const named = unique([...message.missing_results, ...message.results.flatMap(toMissing)])
  const listed = [...named, ...missingOfCancelled(message, named, expectations)]
  const silent = expectations
    .filter(({ isRequired }) => isRequired && message.status !== 'partial')
    .map(({ key }) => key)
    .filter((key) => !listed.some((missing) => isSameResult(missing, key)))
    .map((key) => ({ ...key, failure_type: inferFailure(message.notes), note: null }))
  return [...listed, ...unique(silent)]
    .filter((missing) => !isDelivered(missing))
    .map((missing) => describeMissing(missing, expectations))
}

/**
 * Returns the results of cancelled tests that the laboratory does not list: the required ones of
 * the ordered marker, or the test itself where no marker has its code.
 */
function missingOfCancelled(
  { tests = {}, notes, results }: ReportContent,
  listed: readonly MissingResult[],
  expectations: readonly Expectation[],
): MissingResult[] {
  const cancelled = Object.entries(tests).filter(
    ([, { status, origin }]) => status === 'cancelled' && origin === 'ordered',
  )
  return cancelled.flatMap(([key, test]) => {
    const note = [test.notes, test.specimen?.reject_reason].filter((text) => text).join('\n')
    const reason = { failure_type: note ? null : inferFailure(notes), note: note || null }
    const keys: ResultKey[] = expectations
      .filter(({ marker, isRequired }) => isRequired && marker.provider_id === test.provider_id)
      .map((expected) => expected.key)
    const isKnown = (own: ResultKey) =>
      [...listed, ...results].some((each) => isSameResult(each, own))
    const hasOwn = [...listed, ...results].some((each) => each.test === key)
    if (keys.length > 0)
      return keys.filter((own) => !isKnown(own)).map((own) => ({ ...own, ...reason }))
    const { name, provider_id, loinc } = test
    return hasOwn ? [] : [{ name, provider_id, loinc, ...reason }]
  })
}

/** Returns a result without a value as a missing one; its notes or text may give the reason. */
function toMissing(result: ReportedResult): MissingResult[] {
  if (!isNotPerformed(result)) return []
  const { name, provider_id, loinc, notes, test, sub_id } = result
  const identity = { ...(test !== undefined && { test }), ...(sub_id !== undefined && { sub_id }) }
  const note = [result.result, notes].filter((text) => text !== null && text !== '').join('\n')
  return [{ ...identity, name, provider_id, loinc, failure_type: null, note }]
}

/** Removes duplicates: a result may be expected by two panels, or listed as missing twice. */
function unique(missing: readonly MissingResult[]): MissingResult[] {
  return missing.filter(
    (each, index) => missing.findIndex((other) => isSameReported(other, each)) === index,
  )
}

function describeMissing(
  { name, provider_id, loinc, failure_type, note }: MissingResult,
  expectations: readonly Expectation[],
): MissingBiomarkerResult {
  const origin = expectedOriginOf({ name, provider_id, loinc }, expectations)
  return {
    name,
    slug: origin.slug,
    inferred_failure_type: failure_type ?? inferFailure(note),
    note,
    loinc: origin.loinc,
    loinc_slug: origin.loincSlug,
    provider_id,
    source_markers: origin.markers,
  }
}
