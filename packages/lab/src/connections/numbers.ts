import type { AllocatedNumbers, NumberRules } from '@salus/contracts/lab-gateway'
import { luhnCheckDigit } from '@salus/kernel/check-digits'
import type { LabNumber } from '../orders/index.ts'

interface Allocation {
  rules: NumberRules
  /** Next numbers of the connection. */
  next: { placer: number; requisition: number | null }
  /** Numbers that the order already has. */
  known: readonly LabNumber[]
  order: { markerIds: readonly number[]; sampleId: string | null }
}

/** Thrown when the numbers that a laboratory reserved are used up, or too long for it. */
export class NumbersExhausted extends Error {
  constructor() {
    super('The connection has no number left for another order.')
    this.name = 'NumbersExhausted'
  }
}

const COUNTER = /\{counter(?::(\d{1,2}))?\}/

/**
 * Allocates the numbers of an order by the rules of its connection, and keeps those it has. Returns
 * the next numbers of the connection, and what has to be recorded.
 * @throws NumbersExhausted
 */
export function allocateNumbers({ rules, next, known, order }: Allocation): {
  numbers: Omit<AllocatedNumbers, 'controlId'>
  next: Allocation['next']
  recorded: LabNumber[]
} {
  const recorded: LabNumber[] = []
  const after = { ...next }
  const { format, max_length: mostLength, per } = rules.placer
  const find = (kind: LabNumber['kind'], markerId: number | null) =>
    known.find((one) => one.kind === kind && one.markerId === markerId)?.number
  const take = (markerId: number | null): string => {
    const had = find('placer', markerId)
    if (had !== undefined) return had
    const number = formatPlacer(format, after.placer)
    if (number.length > mostLength) throw new NumbersExhausted()
    after.placer += 1
    recorded.push({ kind: 'placer', number, markerId })
    return number
  }
  const placer = take(null)
  const isPerTest = per === 'test'
  const placerOfTest = new Map(
    order.markerIds.map((id, index) => [id, isPerTest && index > 0 ? take(id) : placer]),
  )
  const had = find('requisition', null)
  const requisition = had ?? takeRequisition(rules, after, placer, order.sampleId)
  if (had === undefined && requisition !== null) {
    recorded.push({ kind: 'requisition', number: requisition, markerId: null })
  }
  return { numbers: { placer, placerOfTest, requisition }, next: after, recorded }
}

function takeRequisition(
  { requisition: rule }: Allocation['rules'],
  after: Allocation['next'],
  placer: string,
  sampleId: string | null,
): string | null {
  if (rule.source === 'laboratory') return sampleId
  if (rule.source !== 'range') return sampleId ?? placer
  const { first, last } = rule.range ?? { first: 0, last: -1 }
  const number = Math.max(after.requisition ?? first, first)
  if (number > last) throw new NumbersExhausted()
  after.requisition = number + 1
  const text = String(number)
  return rule.check_digit === 'mod10' ? `${text}${luhnCheckDigit(text)}` : text
}

function formatPlacer(format: string, counter: number): string {
  return format.replace(COUNTER, (_, digits = '1') => String(counter).padStart(Number(digits), '0'))
}
