import { NEGATIVE_WORDS } from '../language/words.ts'
import type { Line } from '../layout/lines.ts'
import type { Family } from '../loinc/loinc-table.ts'
import { familyOfPanel } from '../loinc/specimen-words.ts'
import type { Doubt, ReportPage, ReportResult } from '../report.ts'
import { textOf } from '../rows/cell-words.ts'
import { plainText } from '../rows/content.ts'
import { looksLikeRange } from '../values/reference-range.ts'
import { checkReading, printsFlags } from './check-reading.ts'
import { explainPositions } from './explain-positions.ts'

/** Highest confidence of a field of a doubtful reading. */
const MOST_CONFIDENCE = 0.5

/**
 * Decides for each result whether it can be used without a look at the page. It can if the layout
 * explains its place (`explain-positions.ts`) and nothing contradicts it (`check-reading.ts`). The
 * code of other results is not matched automatically, and a computed interpretation is not called
 * normal (docs/decisions/0047-what-makes-a-reading-sure.md).
 * @param lines All lines of the pages.
 */
export function judgeResults(
  all: readonly Described[],
  pages: readonly ReportPage[],
  lines: readonly Line[],
): ReportResult[] {
  const positions = explainPositions(all, lines)
  const isInTable = (result: Described): boolean =>
    positions[all.indexOf(result)]?.isInTable ?? false
  const results = all.filter((result) => !all.some((other) => saysAgain(result, other, isInTable)))
  const hasFlags = printsFlags(results)
  const otherSpecimens = listOtherSpecimens(lines)
  return results.flatMap((result) => {
    const page = pages.find(({ number }) => number === result.value.page)
    const read = checkReading(result, {
      page,
      printsFlags: hasFlags,
      isInTable: isInTable(result),
    })
    const doubts = [...(positions[all.indexOf(result)]?.doubts ?? []), ...read]
    if (isGivenTwice(result, results)) doubts.push('repeated')
    const isOpen = otherSpecimens.has(result.value.page) && !saysSpecimen(result)
    if (doubts.length === 0) return [{ ...(isOpen ? leaveCodeOpen(result) : result), doubts }]
    return isNothing(result, doubts) ? [] : [toDoubtfulResult(result, doubts)]
  })
}

type Described = Omit<ReportResult, 'doubts'>

/** Returns the pages with a heading of semen, cerebrospinal fluid, or another body fluid. */
function listOtherSpecimens(lines: readonly Line[]): Set<number> {
  const headings = lines.filter(({ words }) => words.length <= MOST_WORDS)
  const others = headings.filter(({ words }) => {
    const text = textOf(words)
    return !/\d/.test(text) && OTHER_FAMILIES.has(familyOfPanel(text) ?? 'blood')
  })
  return new Set(others.map(({ page }) => page))
}

const MOST_WORDS = 5
const OTHER_FAMILIES: ReadonlySet<Family> = new Set<Family>(['csf', 'semen', 'fluid'])

/** Returns whether name or heading of a result name the specimen. */
function saysSpecimen({ name, panel }: Described): boolean {
  return familyOfPanel(name.text) !== undefined || familyOfPanel(panel?.text ?? '') !== undefined
}

/** Removes the code, because the same analyte has a code of its own in each specimen. */
function leaveCodeOpen(result: Described): Described {
  const isMatched = result.loincMatchStatus === 'auto_match'
  return isMatched ? { ...result, loincMatchStatus: 'needs_review' } : result
}

/** Texts about texts, such as the name and the address of a laboratory. */
function isNothing({ unit, number }: Described, doubts: readonly Doubt[]): boolean {
  return doubts.includes('name') && doubts.includes('value') && unit === null && number === null
}

/** Returns whether a result of a table is only repeated, as in a box of critical results. */
function saysAgain(
  result: Described,
  other: Described,
  isInTable: (result: Described) => boolean,
): boolean {
  if (result === other || !areSameMeasurement(result, other)) return false
  if (result.value.text !== other.value.text) return false
  if (!isInTable(result) && isInTable(other)) return true
  const hasRange = ({ range }: Described) => range !== null && looksLikeRange(range.text)
  return !hasRange(result) && hasRange(other) && result.unit !== null
}

/** Returns whether two results measure the same: by their names or codes, in one unit. */
function areSameMeasurement(one: Described, other: Described): boolean {
  const unitOf = ({ unit, ucumUnit }: Described) => ucumUnit ?? unit?.text.toLowerCase()
  if (unitOf(one) !== unitOf(other)) return false
  const nameOf = ({ name }: Described) => name.text.toLowerCase()
  const [a, b] = [nameOf(one), nameOf(other)]
  if (a === b) return true
  const codeOf = ({ loincMatches: [first] }: Described) =>
    first && first.score >= SAME_CODE ? first.code : undefined
  return (
    (codeOf(one) !== undefined && codeOf(one) === codeOf(other)) ||
    a.startsWith(`${b} `) ||
    b.startsWith(`${a} `)
  )
}

/** A less likely code does not show whether two names mean the same. */
const SAME_CODE = 0.7

/**
 * Returns whether the report has another value for the same measurement: under one heading, or with
 * one code and in one unit.
 */
function isGivenTwice(result: Described, results: readonly Described[]): boolean {
  return results.some((other) => {
    if (other === result || isConfirmation(result, other)) return false
    if (other.value.text === result.value.text)
      return areSameMeasurement(result, other) && haveOtherBounds(result, other)
    if (other.name.text.toLowerCase() !== result.name.text.toLowerCase()) return false
    const isUnderOne =
      other.panel?.text === result.panel?.text && other.panel?.box.y === result.panel?.box.y
    if (isUnderOne) return !haveOwnUnits(result, other)
    const [first] = result.loincMatches
    return (
      first !== undefined &&
      first.code === other.loincMatches[0]?.code &&
      areSameMeasurement(result, other)
    )
  })
}

/** Returns whether one is the amount of a drug that the other reports as found. */
function isConfirmation(one: Described, other: Described): boolean {
  if (one.region !== 'drug_screen' || other.region !== 'drug_screen') return false
  const [finding] = [one, other].filter(({ number }) => number === null)
  const hasAmount = [one, other].some(({ number }) => number !== null)
  return hasAmount && finding !== undefined && !NEGATIVE_WORDS.has(plainText(finding.value.text))
}

/** One of them may be a limit of action rather than the interval. */
function haveOtherBounds(one: Described, other: Described): boolean {
  const hasBounds = ({ low, high }: Described) => low !== null || high !== null
  const areOther = one.low !== other.low || one.high !== other.high
  return hasBounds(one) && hasBounds(other) && areOther
}

/** Shares and counts, or two systems of units, of one analyte. */
function haveOwnUnits(one: Described, other: Described): boolean {
  return one.unit !== null && other.unit !== null && one.unit.text !== other.unit.text
}

function toDoubtfulResult(result: Described, doubts: Doubt[]): ReportResult {
  const { value, interpretation } = result
  return {
    ...leaveCodeOpen(result),
    value: { ...value, confidence: Math.min(value.confidence, MOST_CONFIDENCE) },
    interpretation: interpretation === 'normal' ? 'unknown' : interpretation,
    doubts,
  }
}
