import {
  type ReportedResult,
  type ResultMessage,
  SANDBOX_ACCOUNT_ID,
  type SimulatedReport,
} from '@salus/contracts/lab-gateway'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { findInterval, type Person } from './analytes/reference-interval.ts'
import { recalculate } from './report/calculated-values.ts'
import { correctResults } from './report/corrected-report.ts'
import { isGalleri } from './report/galleri.ts'
import { listInputs, takeSlotsTogether } from './report/held-together.ts'
import { pickMissing, toMissingResults } from './report/missing-results.ts'
import { printResults } from './report/print-results.ts'
import { listGivenValues, makeFrame, personOf } from './report/report-frame.ts'
import { listRelated, listSlots, quantityOf, type Slot } from './report/slots.ts'
import { createRandom } from './seeded-random.ts'

/** True when a result of it can be good or bad. */
function isJudged(slot: Slot, person: Person): boolean {
  if (isGalleri(slot)) return true
  const quantity = quantityOf(slot)
  if (quantity !== undefined) return findInterval(quantity, person) !== undefined
  return slot.analyte.kind === 'finding' && slot.analyte.finding.abnormal.length > 0
}

/**
 * Returns the first result that can be out of range; where none can, the first is flagged all the
 * same.
 */
function findTarget(slots: readonly Slot[], person: Person): Slot | undefined {
  const judged = slots.filter((slot) => isJudged(slot, person))
  return judged.find(({ expected }) => expected.required) ?? judged[0] ?? slots[0]
}

const isOf =
  ({ expected }: Slot) =>
  ({ name, provider_id }: ReportedResult): boolean =>
    name === expected.name && provider_id === expected.provider_id

/**
 * Returns the part of the results that is reported first, with the results that they are calculated
 * from: half of those that the previous report lacked.
 */
function pickPartial(
  results: readonly ReportedResult[],
  slots: readonly Slot[],
  target: Slot | undefined,
  { requisition, previous }: SimulatedReport,
): ReportedResult[] {
  const random = createRandom(`${requisition.orderId}|partial`)
  const there = slots.filter((slot) => results.some(isOf(slot)))
  const ranked = there
    .map((slot) => ({ slot, rank: random.next() - (slot === target ? 1 : 0) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ slot }) => slot)
  const known = previous?.status === 'partial' ? previous.results : []
  const before = new Set(there.filter((slot) => known.some(isOf(slot))))
  const wanted = before.size + Math.ceil((there.length - before.size) / 2)
  const count = Math.max(1, Math.min(wanted, there.length - 1))
  const picked = takeSlotsTogether(ranked, (slot) => listInputs(slot, there), count, before)
  const all = [...picked]
  // Where all results depend on each other, one has to wait all the same.
  const shown = all.length < there.length ? all : all.slice(0, count)
  return results.filter((result) => shown.some((slot) => isOf(slot)(result)))
}

/** Returns our own name of the analyte of a result. */
function nameAt(slots: readonly Slot[], result: ReportedResult | undefined): string {
  const slot = result && slots.find((one) => isOf(one)(result))
  return (slot && quantityOf(slot)?.analyte) ?? ''
}

/**
 * A correction comes after the corrected report, also where a sandbox makes both at one instant.
 */
function reportTimeOf({ status, reportedAt, previous }: SimulatedReport): Date {
  const before = Date.parse(previous?.reported_at?.timestamp ?? '')
  const isAfter = status !== 'corrected' || !(reportedAt.getTime() <= before)
  return isAfter ? reportedAt : new Date(before + MINUTE_MS)
}

/** The specimen is the same, so its times are the same. */
function withTimesOf(previous: ResultMessage | undefined, report: ResultMessage): ResultMessage {
  const { collected_at, received_at } = previous ?? report
  return { ...report, collected_at, received_at }
}

/** Results that were reported before keep their time. */
function keepTimes(results: readonly ReportedResult[], previous: ResultMessage): ReportedResult[] {
  return results.map((result) => {
    const before = previous.results.find(
      ({ name, provider_id, result: text }) =>
        name === result.name && provider_id === result.provider_id && text === result.result,
    )
    return before === undefined ? result : { ...result, timestamp: before.timestamp }
  })
}

/** Whether a result can be corrected without making others wrong. */
function standsAlone(slots: readonly Slot[]): (result: ReportedResult) => boolean {
  const related = listRelated(slots)
  const names = new Set(
    slots
      .filter((slot) => related.has(quantityOf(slot)?.analyte ?? ''))
      .map(({ expected }) => expected.name),
  )
  return ({ name }) => !names.has(name)
}

/**
 * Makes the report of an order as its laboratory would send it: values that fit the patient's sex
 * and age and each other. The same input returns the same report, and the same order the same
 * values.
 */
export function makeReport(input: SimulatedReport): ResultMessage {
  const { requisition, status, collectedAt, previous } = input
  const seed = requisition.orderId
  const person = personOf(requisition, collectedAt)
  const given = listGivenValues(requisition, person)
  const slots = listSlots(requisition)
  const target = findTarget(slots, person)
  const missing = input.hasMissingResults ? pickMissing(slots, target, seed) : []
  const reportedAt = reportTimeOf(input)
  const accountId = input.accountId ?? SANDBOX_ACCOUNT_ID
  const report = withTimesOf(previous, makeFrame({ ...input, reportedAt, accountId }))
  const results = printResults({
    slots,
    printed: slots.filter((slot) => !missing.includes(slot)),
    target,
    interpretation: input.interpretation,
    resultTypes: input.resultTypes,
    person,
    given,
    seed,
    reportedAt: report.reported_at?.timestamp ?? '',
  })
  const kind = input.missingKind ?? 'quantity_not_sufficient_failure'
  const missing_results = toMissingResults(missing, kind, seed)
  if (status === 'partial') {
    const part = pickPartial(results, slots, target, input)
    return { ...report, missing_results, results: previous ? keepTimes(part, previous) : part }
  }
  if (status === 'corrected') {
    return {
      ...report,
      notes: 'Corrected report.',
      missing_results: previous?.missing_results ?? missing_results,
      results: correctResults(results, previous ?? { ...report, results }, {
        isPreferred: standsAlone(slots),
        recalculate: (changed, index) => {
          const isGiven = given.has(nameAt(slots, changed[index]))
          return isGiven ? undefined : recalculate(changed, index, slots, person)
        },
        seed,
        timestamp: report.reported_at?.timestamp ?? '',
      }),
    }
  }
  return { ...report, missing_results, results: previous ? keepTimes(results, previous) : results }
}
