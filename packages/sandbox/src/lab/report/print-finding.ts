import type { ResultType } from '@salus/contracts/lab-gateway'
import type { FindingRow } from '../analytes/analyte-tables.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { abnormalFlag, type Printed, typeOfText, type Wish } from './printed.ts'

/** A finding that is reported in words. */
export interface Observed {
  finding: FindingRow
  /** Unit that the laboratory announced: then it prints an index where it can. */
  unit: string | null
}

interface Answer {
  text: string
  unit: string | null
  reference: string | null
  low: number | null
  high: number | null
}

/** A measured amount; amounts near the cutoff are not used. */
function cutoffAnswer(
  { value, unit, isNothingGood }: NonNullable<FindingRow['cutoff']>,
  isGood: boolean,
  type: ResultType,
  random: SeededRandom,
): Answer {
  const sampled = value * (isGood ? random.between(0.02, 0.4) : random.between(2, 9))
  // An amount and its logarithm may be next to each other: only the cutoff is true of both.
  const asRange = isGood ? `<${value}` : `>${isNothingGood ? value : 10 * value}`
  // A measured amount is present: with a low cutoff a good amount would round to zero.
  const amount = isGood && isNothingGood ? '0' : `${Math.max(1, Math.round(sampled))}`
  const text = type === 'range' ? asRange : amount
  return { text, unit, reference: `<${value}`, low: null, high: value }
}

/** Signal over cutoff of an immunoassay; values near the cutoff are not used. */
function indexAnswer(
  observed: Observed,
  isGood: boolean,
  type: ResultType,
  random: SeededRandom,
): Answer {
  const isAbove = observed.finding.index === 'above'
  const isHigh = isAbove === isGood
  const sampled = isHigh ? random.between(1.8, 7.5) : random.between(0.04, 0.6)
  const asRange = isHigh ? '>8.00' : '<0.20'
  return {
    text: type === 'range' ? asRange : sampled.toFixed(2),
    unit: observed.unit,
    reference: isAbove ? '>0.99' : '<0.90',
    low: isAbove ? 0.99 : null,
    high: isAbove ? null : 0.9,
  }
}

/** Returns a dilution as a number: the reciprocal of the last one that reacts. */
function titerAnswer(observed: Observed, words: string, type: ResultType): Answer {
  const { reference, normal } = observed.finding
  const isBelow = words.startsWith('<')
  const last = Number(words.replace(/^<?1:/, ''))
  const asRange = isBelow ? `<${last}` : `>=${last}`
  const text = type === 'range' ? asRange : `${isBelow ? Math.floor(last / 2) : last}`
  const high = Number(normal[0]?.replace(/^<?1:/, ''))
  return { text, unit: observed.unit, reference, low: null, high }
}

const inWords = (text: string, unit: string | null, reference: string | null): Answer => ({
  text,
  unit: typeOfText(text) === 'comment' ? null : unit,
  reference,
  low: null,
  high: null,
})

function codeOf(words: string, isGood: boolean): string {
  const isWord = /^[a-z][a-z -]*$/i.test(words)
  if (!isWord) return isGood ? 'NEGATIVE' : 'POSITIVE'
  return words.toUpperCase().replace(/[ -]+/g, '_')
}

function answerOf(
  observed: Observed,
  isGood: boolean,
  type: ResultType,
  random: SeededRandom,
): Answer {
  const { finding, unit } = observed
  const words = isGood || finding.abnormal.length === 0 ? finding.normal : finding.abnormal
  const fitting = words.filter((text) => typeOfText(text) === type)
  const picked = random.pick(fitting.length > 0 ? fitting : words)
  if (type === 'coded_value') return inWords(codeOf(picked, isGood), null, finding.reference)
  if (fitting.length > 0) return inWords(picked, unit, finding.reference)
  if (finding.isTiter) return titerAnswer(observed, picked, type)
  if (type === 'comment') return inWords(isGood ? 'Normal' : 'Abnormal', null, finding.reference)
  if (finding.cutoff !== undefined) return cutoffAnswer(finding.cutoff, isGood, type, random)
  return indexAnswer(observed, isGood, type, random)
}

/** Prints a finding in words, as an index, as a range, or as a code. */
export function printFinding(
  observed: Observed,
  { type, level }: Wish,
  random: SeededRandom,
): Printed {
  const isJudged = observed.finding.abnormal.length > 0
  const answer = answerOf(observed, level === null, type, random)
  const good = isJudged ? 'N' : null
  return {
    type,
    result: answer.text,
    unit: answer.unit,
    reference_range: answer.reference,
    min_range_value: answer.low,
    max_range_value: answer.high,
    flag: level === null ? good : abnormalFlag(level),
    notes: type === 'numeric' ? null : answer.text,
  }
}

/** Returns the type in which a laboratory would print it. */
export function naturalTypeOfFinding(
  { finding, unit }: Observed,
  isGood: boolean,
  random: SeededRandom,
): ResultType {
  if (finding.index !== undefined && unit !== null && unit !== '') return 'numeric'
  const words = isGood || finding.abnormal.length === 0 ? finding.normal : finding.abnormal
  return typeOfText(random.pick(words))
}

/** Returns how well it can be printed in each type. */
export function typeSuitabilityOfFinding({ finding }: Observed): Record<ResultType, number> {
  const isIndex = finding.index !== undefined
  const isCount = finding.normal.some((text) => typeOfText(text) === 'range')
  const isNote = finding.abnormal.length === 0
  const isMeasured = finding.cutoff !== undefined
  return {
    numeric: isNote ? -20 : isIndex ? 6 : isMeasured ? 4 : 1,
    range: isNote ? -20 : isCount ? 9 : isMeasured ? 7 : isIndex ? 5 : 1,
    comment: 10,
    coded_value: isNote ? 0 : 2,
  }
}
