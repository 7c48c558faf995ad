import type { ReportedResult, ResultType } from '@salus/contracts/lab-gateway'
import { reportedLoincOf } from './calculable.ts'
import { type Draft, type DraftInput, levelOf, makeDrafts, randomOf } from './drafts.ts'
import { isGalleri, printGalleri } from './galleri.ts'
import { naturalTypeOfFinding, printFinding, typeSuitabilityOfFinding } from './print-finding.ts'
import { naturalTypeOf, printQuantity, typeSuitabilityOf } from './print-quantity.ts'
import { type Printed, printWords } from './printed.ts'
import { PERFORMING_LABORATORY } from './report-frame.ts'
import { chooseTypes, type TypeCandidate } from './result-types.ts'
import type { Slot } from './slots.ts'

export interface PrintInput extends DraftInput {
  /** Slots that are printed. */
  printed: readonly Slot[]
  /** ISO 8601 */
  reportedAt: string
}

/** Returns how a draft may be printed; undefined for one that already has words. */
function candidateOf(draft: Draft, input: PrintInput): TypeCandidate | undefined {
  const { content, slot, level } = draft
  const isTarget = slot === input.target
  switch (content.kind) {
    case 'measured': {
      const { measured } = content
      return { natural: naturalTypeOf(measured), suits: typeSuitabilityOf(measured), isTarget }
    }
    case 'observed': {
      const { observed } = content
      const natural = naturalTypeOfFinding(observed, level === null, randomOf(input, slot))
      return { natural, suits: typeSuitabilityOfFinding(observed), isTarget }
    }
    default:
      return undefined
  }
}

function printDraft({ content, slot, level }: Draft, type: ResultType, input: PrintInput): Printed {
  const wish = { type, level, isAlarming: input.interpretation === 'critical' }
  switch (content.kind) {
    case 'measured':
      return printQuantity(content.measured, wish)
    case 'observed':
      return printFinding(content.observed, wish, randomOf(input, slot))
    default:
      return printWords(content.words)
  }
}

/** A line of the report; a cancer test may have unannounced lines. */
interface Line {
  slot: Slot
  expected: Pick<ReportedResult, 'name' | 'provider_id' | 'loinc'>
  printed: Printed
}

/** Prints all results except those of the cancer test, which have their own types. */
function printOrdinary(input: PrintInput): Line[] {
  const drafts = makeDrafts(input).filter(
    ({ slot }) => input.printed.includes(slot) && !isGalleri(slot),
  )
  const candidates = drafts.map((draft) => candidateOf(draft, input))
  const open = candidates.filter((candidate) => candidate !== undefined)
  const present: ResultType[] = drafts.slice(open.length).map(() => 'comment')
  const types = chooseTypes(open, present, input.resultTypes, input.seed)
  const typeOf = new Map(open.map((candidate, index) => [candidate, types[index]]))
  return drafts.map((draft, index) => {
    const candidate = candidates[index]
    const type = (candidate && typeOf.get(candidate)) ?? 'comment'
    const { slot } = draft
    const printed = printDraft(draft, type, input)
    const isNumber = printed.type === 'numeric' || printed.type === 'range'
    const loinc = reportedLoincOf(slot, isNumber, input.person)
    return { slot, expected: { ...slot.expected, loinc }, printed }
  })
}

/** Words and codes that say whether a value is good. */
const JUDGEMENT = /\b(?:ab)?normal\b|\breference range\b|^(?:WITHIN|BELOW|ABOVE)_RANGE$/i

/** Prints a result like a laboratory that gives no interpretation. */
function withoutJudgement(printed: Printed): Printed {
  const isWords = printed.type === 'comment' || printed.type === 'coded_value'
  const isJudgement = isWords && JUDGEMENT.test(printed.result)
  const result = printed.type === 'comment' ? 'Not interpreted' : 'NOT_INTERPRETED'
  return {
    ...printed,
    ...(isJudgement ? { result, notes: result } : {}),
    reference_range: null,
    min_range_value: null,
    max_range_value: null,
    flag: null,
  }
}

/** Prints the results of a report, in the order of the requisition. */
export function printResults(input: PrintInput): ReportedResult[] {
  const { target, interpretation } = input
  const isCancerTest = target !== undefined && isGalleri(target)
  const level = isCancerTest ? levelOf(interpretation) : null
  const galleri = printGalleri(input.printed.filter(isGalleri), level, input.seed)
  const positions = new Map(input.slots.map((slot, index) => [slot, index]))
  const positionOf = ({ slot }: Line): number => positions.get(slot) ?? 0
  return [...printOrdinary(input), ...galleri]
    .sort((a, b) => positionOf(a) - positionOf(b))
    .map(({ expected: { name, provider_id, loinc }, printed }) => ({
      name,
      provider_id,
      loinc,
      ...(interpretation === 'unknown' ? withoutJudgement(printed) : printed),
      timestamp: input.reportedAt,
      performing_laboratory: PERFORMING_LABORATORY,
    }))
}
