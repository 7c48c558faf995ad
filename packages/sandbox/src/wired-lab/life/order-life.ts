import type { Requisition, ResultMessage } from '@salus/contracts/lab-gateway'
import { HOUR_MS, SECOND_MS } from '@salus/contracts/time-units'
import { makeReport } from '../../lab/believable-report.ts'
import { reportByTest } from '../../lab/report/reported-tests.ts'
import { withMicrobiology, withReflex } from './extra-tests.ts'
import { makeDocument } from './report-document.ts'
import type { Scenario, Step } from './scenario.ts'

/** Steps that are reports. */
export type ReportStep = Exclude<Step, 'cancelled' | 'duplicate'>

/** Hours between the collection and the results. */
const HOURS_TO_REPORT = 20

const STATUSES: Readonly<Record<ReportStep, ResultMessage['status']>> = {
  preliminary: 'partial',
  final: 'final',
  corrected: 'corrected',
  reflex: 'final',
  microbiology: 'final',
  document: 'final',
  qns: 'final',
  'wrong-patient': 'final',
}

/**
 * An order at the laboratory: which reports it got. The values are those of the sandbox's
 * simulator, by the number of the requisition, so that the same order has the same ones in all
 * messages.
 */
export class OrderLife {
  readonly requisition: Requisition
  readonly scenario: Scenario
  readonly #labName: string
  #previous: ResultMessage | undefined
  #reportedAt: Date | undefined
  #collectedAt: Date | undefined
  /** Whether the laboratory or the client cancelled it: nothing is reported any more. */
  isCancelled = false

  constructor(requisition: Requisition, scenario: Scenario, labName: string) {
    this.requisition = requisition
    this.scenario = scenario
    this.#labName = labName
  }

  /** Whether all results were reported, so that it cannot be cancelled any more. */
  get isReported(): boolean {
    return this.#previous !== undefined && this.#previous.status !== 'partial'
  }

  /**
   * Returns the report of a step, under its tests. Each report is later than the one before it,
   * also where both are made at one instant.
   */
  report(step: ReportStep, now: Date): ResultMessage {
    const { requisition, scenario } = this
    const reportedAt = this.#laterThanBefore(now)
    this.#collectedAt ??= requisition.collectedAt ?? collectionBefore(requisition, reportedAt)
    const collectedAt = this.#collectedAt
    const known = this.#previous
    const isCorrectedBefore = known?.status === 'corrected' && STATUSES[step] === 'final'
    const made = isCorrectedBefore
      ? known
      : makeReport({
          requisition,
          status: STATUSES[step],
          interpretation: scenario.interpretation,
          resultTypes: null,
          hasMissingResults: step === 'qns',
          missingKind: 'quantity_not_sufficient_failure',
          collectedAt,
          reportedAt,
          previous: known,
          labName: this.#labName,
          accountId: requisition.accountId,
        })
    // A report that was sent under another name is none of this person.
    if (step !== 'wrong-patient') this.#previous = made
    const byTest = withNumbers(reportByTest(made, requisition, known))
    const context = { report: byTest, requisition, collectedAt, reportedAt, labName: this.#labName }
    if (step === 'reflex') return withReflex(context)
    if (step === 'microbiology') return withMicrobiology(context)
    if (step !== 'document') return byTest
    return { ...byTest, pdf: makeDocument(byTest, this.#labName).toString('base64') }
  }

  /** Versions are ordered by their times in seconds. */
  #laterThanBefore(now: Date): Date {
    const least = this.#reportedAt ?? this.requisition.orderedAt
    const at = new Date(Math.max(now.getTime(), least.getTime() + SECOND_MS))
    this.#reportedAt = at
    return at
  }
}

function collectionBefore({ orderedAt }: Requisition, reportedAt: Date): Date {
  return new Date(Math.max(reportedAt.getTime() - HOURS_TO_REPORT * HOUR_MS, orderedAt.getTime()))
}

/** Gives the tests numbers of the laboratory: those of their specimen. */
function withNumbers(report: ResultMessage): ResultMessage {
  const tests = Object.entries(report.tests ?? {}).map(([key, test]) => [
    key,
    { ...test, filler_number: `${report.specimen_number}-${key}` },
  ])
  return { ...report, tests: Object.fromEntries(tests) }
}
