import { INTERPRETATIONS } from '../../../components/interpretations.ts'
import type { Tone } from '../../../components/status-badge.tsx'
import type { PersonResult } from './lab-queries.ts'

/** All results of a person for the same analyte, newest first. */
export interface Analyte {
  key: string
  /** Name in the newest result. */
  name: string
  /**
   * LOINC code; null where no laboratory reports one: the results are then grouped by their name.
   */
  code: string | null
  results: readonly PersonResult[]
  newest: PersonResult
}

/** Analytes of one panel of a laboratory; the last group is of no panel, as of uploaded reports. */
export interface Panel {
  name: string | null
  analytes: readonly Analyte[]
}

/** Groups analytes by the panel of their newest result that has one, in their order. */
export function groupPanels(analytes: readonly Analyte[]): Panel[] {
  const groups = Map.groupBy(
    analytes,
    ({ results }) => results.find(({ panel }) => panel !== null)?.panel ?? null,
  )
  return [...groups]
    .map(([name, ofPanel]) => ({ name, analytes: ofPanel }))
    .sort((one, other) => Number(one.name === null) - Number(other.name === null))
}

const RANKS: Readonly<Record<string, number>> = { critical: 0, abnormal: 1 }
const rankOf = ({ newest }: Analyte): number => RANKS[newest.interpretation] ?? 2

/** Groups results by analyte: abnormal ones first, then by name. */
export function groupResults(results: readonly PersonResult[]): Analyte[] {
  const groups = Map.groupBy(
    results,
    ({ measurement, name }) => measurement ?? `name ${name.trim().toLowerCase()}`,
  )
  const analytes = [...groups].flatMap(([key, group]): Analyte[] => {
    const [newest] = group
    if (newest === undefined) return []
    const code = group.find(({ loinc_code: known }) => known !== null)?.loinc_code ?? null
    return [{ key, name: newest.name, code, results: group, newest }]
  })
  return analytes.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || one.name.localeCompare(other.name),
  )
}

interface InterpretedValue {
  interpretation: PersonResult['interpretation']
  number?: number | null
  value?: number | string
  min_range_value: number | null
  max_range_value: number | null
}

/** Interprets a value against its interval. */
export function interpretResult(result: InterpretedValue): { label: string; tone: Tone } {
  const { interpretation, min_range_value: low, max_range_value: high } = result
  const number = result.number ?? (typeof result.value === 'number' ? result.value : null)
  const { label, tone } = INTERPRETATIONS[interpretation]
  if (interpretation === 'normal' || interpretation === 'unknown') return { label, tone }
  const isHigh = number !== null && high !== null && number > high
  const isLow = number !== null && low !== null && number < low
  const side = isHigh ? 'high' : isLow ? 'low' : ''
  if (side === '') return { label, tone }
  if (interpretation === 'critical') return { label: `Critically ${side}`, tone }
  return { label: side.charAt(0).toUpperCase() + side.slice(1), tone }
}

const NUMBER = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })

export const formatNumber = (value: number): string => NUMBER.format(value)

/**
 * Removes the notes that UCUM puts in braces from a unit: `{ratio}` becomes empty, `{cells}/uL`
 * becomes `cells/uL`.
 */
export function formatUnit(unit: string | null): string {
  if (unit === null || /^\{[^}]*\}$/.test(unit)) return ''
  return unit.replaceAll(/\{([^}]*)\}/g, (_, note: string) => note.replaceAll('_', ' '))
}

/** Formats a reference interval in the unit of its value; undefined without one. */
export function formatInterval(low: number | null, high: number | null): string | undefined {
  if (low !== null && high !== null) return `${formatNumber(low)} – ${formatNumber(high)}`
  if (high !== null) return `up to ${formatNumber(high)}`
  return low === null ? undefined : `from ${formatNumber(low)}`
}

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a calendar date, which has no zone. */
export const formatDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`))
