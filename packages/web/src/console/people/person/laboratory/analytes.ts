import type { Tone } from '../../../components/status-badge.tsx'
import type { PersonResult } from './lab-queries.ts'

/** All results of a person that measure the same, newest first. */
export interface Analyte {
  key: string
  /** As the laboratory of the newest calls it. */
  name: string
  /** Null where no laboratory says what it is: then nothing but the name holds them together. */
  code: string | null
  results: readonly PersonResult[]
  newest: PersonResult
}

const RANKS: Readonly<Record<string, number>> = { critical: 0, abnormal: 1 }
const rankOf = ({ newest }: Analyte): number => RANKS[newest.interpretation] ?? 2

/** Results by what they measure: what needs a look first, then by name. */
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

interface Judged {
  interpretation: PersonResult['interpretation']
  number?: number | null
  value?: number | string
  min_range_value: number | null
  max_range_value: number | null
}

/** What a value means against its interval, in a word. */
export function judge(result: Judged): { label: string; tone: Tone } {
  const { interpretation, min_range_value: low, max_range_value: high } = result
  const number = result.number ?? (typeof result.value === 'number' ? result.value : null)
  if (interpretation === 'normal') return { label: 'Normal', tone: 'good' }
  if (interpretation === 'unknown') return { label: 'Not judged', tone: 'neutral' }
  const isHigh = number !== null && high !== null && number > high
  const isLow = number !== null && low !== null && number < low
  const side = isHigh ? 'high' : isLow ? 'low' : ''
  if (interpretation === 'critical') {
    return { label: side === '' ? 'Critical' : `Critically ${side}`, tone: 'bad' }
  }
  const label = side === '' ? 'Abnormal' : side.charAt(0).toUpperCase() + side.slice(1)
  return { label, tone: 'warning' }
}

const NUMBER = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })

export const formatNumber = (value: number): string => NUMBER.format(value)

/**
 * A unit without the notes that UCUM puts in braces: `{ratio}` is none, `{cells}/uL` is `cells/uL`.
 */
export function formatUnit(unit: string | null): string {
  if (unit === null || /^\{[^}]*\}$/.test(unit)) return ''
  return unit.replaceAll(/\{([^}]*)\}/g, (_, note: string) => note.replaceAll('_', ' '))
}

/** A reference interval, in the unit of its value; undefined where there is none. */
export function formatInterval(low: number | null, high: number | null): string | undefined {
  if (low !== null && high !== null) return `${formatNumber(low)} – ${formatNumber(high)}`
  if (high !== null) return `up to ${formatNumber(high)}`
  return low === null ? undefined : `from ${formatNumber(low)}`
}

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** A day of the calendar, which has no zone. */
export const formatDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`))
