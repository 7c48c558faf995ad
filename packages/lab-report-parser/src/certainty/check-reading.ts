import { fitsUnit } from '../loinc/fits-unit.ts'
import { getLoincTable } from '../loinc/loinc-table.ts'
import type { Doubt, ReportPage, ReportResult } from '../report.ts'
import { scoreValue } from '../rows/content.ts'
import { readFlag } from '../values/flag.ts'
import { looksLikeValue } from '../values/value.ts'
import { findLimits } from './possible-values.ts'

type Described = Omit<ReportResult, 'doubts'>

/** A recognized word below this was read wrong too often. */
const LEAST_LEGIBILITY = 0.65

/**
 * What in a reading contradicts itself: `unit` (none that the analyte is measured in), `value` (nobody can have it),
 * `flag` (it says otherwise than the interval), `legibility` (recognition was not sure, or lost a decimal sign).
 */
export function checkReading(
  result: Described,
  { page, printsFlags }: { page: ReportPage | undefined; printsFlags: boolean },
): Doubt[] {
  const doubts: Doubt[] = []
  // Germs and genotypes are text, and a drug that is tested on a germ is not measured in blood.
  const isTested = result.region === 'antibiogram' || result.region === 'genotypes'
  if (!isTested && !isUnitOfAnalyte(result)) doubts.push('unit')
  if (!isTested && !isPossible(result)) doubts.push('value')
  if (contradictsFlag(result, printsFlags)) doubts.push('flag')
  if (page?.source === 'recognized' && !isLegible(result)) doubts.push('legibility')
  return doubts
}

/** Whether the report marks what is out of its interval: then a mark that is missing says something. */
export function printsFlags(results: readonly Described[]): boolean {
  const outside = results.filter(({ isAboveHigh, isBelowLow }) => isAboveHigh || isBelowLow)
  const flagged = outside.filter(({ flag }) => flag !== null && readFlag(flag.text) !== null)
  return flagged.length >= 2 && flagged.length >= outside.length * 0.5
}

function isUnitOfAnalyte({ name, unit, ucumUnit }: Described): boolean {
  // `units` of pH are none.
  if (unit === null || ucumUnit === null || /^units?$/i.test(unit.text)) return true
  return fitsUnit(name.text, ucumUnit)
}

function isPossible({ value, number, ucumUnit, loincMatches: [first] }: Described): boolean {
  // A sentence in the place of a result may be one, such as what grew in a culture, or a remark.
  if (scoreValue(value.text) === 0 && !looksLikeValue(value.text)) return false
  const row = first && getLoincTable().findCode(first.code)
  if (number === null || row?.family !== 'blood') return true
  const limits = findLimits(row.component, ucumUnit ?? (row.component === 'pH' ? '[pH]' : ''))
  return !limits || (number >= limits.least && number <= limits.most)
}

function contradictsFlag(
  { flag, isAboveHigh, isBelowLow, low, high }: Described,
  printsFlags: boolean,
): boolean {
  const said = flag === null ? null : readFlag(flag.text)
  if (said === null) return printsFlags && flag === null && (isAboveHigh || isBelowLow) === true
  if (said.direction === 'high')
    return isAboveHigh === false || (high === null && isBelowLow === true)
  if (said.direction === 'low')
    return isBelowLow === false || (low === null && isAboveHigh === true)
  return said.interpretation === 'normal' && (isAboveHigh === true || isBelowLow === true)
}

function isLegible({ value, range, number, low, high }: Described): boolean {
  if (value.confidence < LEAST_LEGIBILITY) return false
  if (number === null || range === null || low === null || high === null) return true
  const decimals = (text: string) => text.match(/\d[.,](\d{1,2})(?!\d)/g)?.length ?? 0
  // `5` where the interval is `3.5-5.1` may be what is left of 5.6.
  return decimals(value.text) > 0 || decimals(range.text) < 2
}
