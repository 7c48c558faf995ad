import { readFileSync } from 'node:fs'
import { getLoincTable } from '../loinc/loinc-table.ts'
import { readName } from '../loinc/name-readings.ts'
import { quantitiesOfUnit } from '../loinc/quantities.ts'
import type { Doubt, ReportPage, ReportResult } from '../report.ts'
import { scoreName, scoreValue } from '../rows/content.ts'
import { readFlag } from '../values/flag.ts'
import { looksLikeUnit } from '../values/unit.ts'
import { looksLikeValue } from '../values/value.ts'

type Described = Omit<ReportResult, 'doubts'>

/** Words that were recognized with less confidence were wrong too often. */
const LEAST_LEGIBILITY = 0.65

interface Circumstances {
  page: ReportPage | undefined
  printsFlags: boolean
  isInTable: boolean
}

/**
 * Returns the contradictions within a reading: `unit` (the analyte is not measured in it), `value`
 * (impossible in a living person), `flag` (contradicts the interval), `legibility` (recognition was
 * unsure, or lost a decimal sign).
 */
export function checkReading(
  result: Described,
  { page, printsFlags, isInTable }: Circumstances,
): Doubt[] {
  const doubts: Doubt[] = []
  // Germs and genotypes are text, and a drug that is tested on a germ is not measured in blood.
  const isTested = result.region === 'antibiogram' || result.region === 'genotypes'
  if (!isTested && !isUnitOfAnalyte(result)) doubts.push('unit')
  if (!isTested && (!isPossible(result, isInTable) || isTarget(result))) doubts.push('value')
  if (contradictsFlag(result, printsFlags)) doubts.push('flag')
  if (page?.source === 'recognized' && !isLegible(result)) doubts.push('legibility')
  return doubts
}

/**
 * Returns whether the report flags values outside of their interval: then a missing flag is
 * information.
 */
export function printsFlags(results: readonly Described[]): boolean {
  const outside = results.filter(({ isAboveHigh, isBelowLow }) => isAboveHigh || isBelowLow)
  const flagged = outside.filter(({ flag }) => flag !== null && readFlag(flag.text) !== null)
  return flagged.length >= 2 && flagged.length >= outside.length * 0.5
}

function isUnitOfAnalyte({ name, unit, ucumUnit, region }: Described): boolean {
  // The title of such a table says what is measured; the name is only the allergen or the like.
  if (region === 'allergy_panel') return true
  // `units` of pH is not a unit, and an index has no unit.
  if (unit === null || ucumUnit === null || /^(?:units?|index)$/i.test(unit.text)) return true
  return fitsUnit(name.text, ucumUnit)
}

/**
 * Returns whether the analyte of a name is measured in a unit of UCUM; true where name or unit are
 * too vague to decide.
 */
function fitsUnit(name: string, ucumUnit: string): boolean {
  const analytes = readName(name)?.analytes ?? []
  const quantities = quantitiesOfUnit(ucumUnit)
  if (analytes.length === 0 || quantities.length === 0 || quantities.includes('other')) return true
  return analytes.some(({ rows }) =>
    rows.some(
      ({ quantity, component }) =>
        quantity === 'other' ||
        quantities.includes(quantity) ||
        // Cells that are reported as a share are also reported as a count.
        (quantities.includes('count') && component.endsWith('/100 leukocytes')),
    ),
  )
}

function isPossible(
  { name, value, number, low, high, ucumUnit, loincMatches: [first] }: Described,
  isInTable: boolean,
): boolean {
  // A sentence in place of a value may be one, such as the finding of a culture, or a remark.
  if (scoreValue(value.text) === 0 && !looksLikeValue(value.text)) {
    // A visual property, such as a color, has a word as its result in the column of results.
    const isSeen = isInTable && scoreName(name.text) >= 0.85 && low === null && high === null
    if (!isSeen || !/^\p{L}{3,}(?: \p{L}{3,})?$/u.test(value.text)) return false
  }
  // A lone sign where a number is expected is a mark, not a value.
  if (/^\P{N}?$/u.test(value.text) && (low !== null || high !== null)) return false
  const row = first && getLoincTable().findCode(first.code)
  if (number === null || row?.family !== 'blood') return true
  const limits = findLimits(row.component, ucumUnit ?? (row.component === 'pH' ? '[pH]' : ''))
  return !limits || (number >= limits.least && number <= limits.most)
}

/**
 * Returns whether a value that is an interval may be a target or a limit: only counts per field
 * have such values.
 */
function isTarget({ value, name, unit, range, ucumUnit, low }: Described): boolean {
  if (!/^\d[\d.,]* ?(?:-|–|to) ?\d[\d.,]*$/.test(value.text)) return false
  if (/\b(?:target|goal|therap|ziel|objetivo|objectif|cible)/i.test(name.text)) return true
  const isCount = ucumUnit === null || /^(?:\{[^}]*\}|10\*\d)?\/|\[[HL]PF\]/.test(ucumUnit)
  const isBare = unit === null && range === null
  return isBare || !isCount || (low !== null && low > 0)
}

function contradictsFlag(
  { flag, isAboveHigh, isBelowLow, low, high, number, type }: Described,
  printsFlags: boolean,
): boolean {
  const said = flag === null ? null : readFlag(flag.text)
  // Few reports flag `6-10` against `0-5`, and not all flag values on the bound.
  const isOnBound = number !== null && (number === low || number === high)
  if (said === null && (type === 'range' || isOnBound)) return false
  if (said === null) return printsFlags && flag === null && (isAboveHigh || isBelowLow) === true
  if (said.direction === 'high')
    return isAboveHigh === false || (high === null && isBelowLow === true)
  if (said.direction === 'low')
    return isBelowLow === false || (low === null && isAboveHigh === true)
  return said.interpretation === 'normal' && (isAboveHigh === true || isBelowLow === true)
}

function isLegible({ value, unit, ucumUnit, range, number, low, high }: Described): boolean {
  if (value.confidence < LEAST_LEGIBILITY) return false
  // A text that is nearly a unit is a unit that lost a letter: `mmol/`.
  if (unit !== null && ucumUnit === null && !looksLikeUnit(unit.text)) return false
  if (number === null || range === null || low === null || high === null) return true
  const decimals = (text: string) => text.match(/\d[.,](\d{1,2})(?!\d)/g)?.length ?? 0
  // `5` with the interval `3.5-5.1` may be a rest of 5.6.
  return decimals(value.text) > 0 || decimals(range.text) < 2
}

let limits: Map<string, { least: number; most: number }> | undefined

/**
 * Returns the possible values of an analyte (LOINC component) in a living person, in a unit of
 * UCUM; undefined where they are unknown.
 */
function findLimits(
  component: string,
  ucumUnit: string,
): { least: number; most: number } | undefined {
  limits ??= readLimits()
  return limits.get(`${component}|${ucumUnit}`)
}

/** Lists every component with known limits. */
export function listLimitedComponents(): string[] {
  limits ??= readLimits()
  return [...limits.keys()].map((key) => key.split('|')[0] ?? '')
}

function readLimits(): Map<string, { least: number; most: number }> {
  const text = readFileSync(new URL('../../data/possible-values.txt', import.meta.url), 'utf8')
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.flatMap((line) => {
      const [component = '', ...units] = line.split('|').map((part) => part.trim())
      return units.map((entry): [string, { least: number; most: number }] => {
        const [unit = '', least, most] = entry.split(' ')
        return [`${component}|${unit}`, { least: Number(least), most: Number(most) }]
      })
    }),
  )
}
