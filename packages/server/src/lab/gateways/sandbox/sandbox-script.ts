import type { LabNews, OrderReference, Scan, StatusDetail } from '../lab-news.ts'
import type { LabReport } from '../lab-report.ts'
import { inboundParcel, outboundParcel } from './couriers.ts'
import {
  type Cause,
  MOVES,
  type ScriptMethod,
  type ScriptStatus,
} from './sandbox-steps.registry.ts'

/** One move of an order. `detail` is for blocked processing, sample errors and failed fulfilment. */
export interface ScriptStep {
  from: ScriptStatus
  to: ScriptStatus
  method: ScriptMethod
  detail?: StatusDetail | null
}

/** Which report a step needs. `hasMissingResults` true: it must lack some; else as was asked for. */
export interface ReportWish {
  status: LabReport['status']
  hasMissingResults: boolean
}

/** What the outside world knows of an order. */
export interface ScriptFacts {
  /** Usually the order's id: tracking numbers come from it. */
  seed: string
  /** The requisition's number, or the number on the kit. */
  sampleId: string
  /** Called only by steps that end in results. */
  report: (wish: ReportWish) => LabReport
}

const DETAILS: Partial<Record<ScriptStatus, readonly (StatusDetail | null)[]>> = {
  lab_processing_blocked: [
    null,
    'date_of_collection_unspecified',
    'demographic_information_unspecified',
    'demographic_information_mismatch',
  ],
  sample_error: [
    null,
    'sample_quantity_not_sufficient',
    'sample_contaminated',
    'sample_stability_exceeded',
    'sample_hemolyzed',
    'sample_improper_collection',
  ],
}

/** The details with which a status may be reached (contract 12, status_detail). */
export function detailsFor(to: ScriptStatus): readonly (StatusDetail | null)[] {
  return DETAILS[to] ?? [null]
}

const causeKey = ({ from, to, method }: ScriptStep): string => `${method} ${from} ${to}`

const causes = new Map<string, Cause>(
  Object.entries(MOVES).flatMap(([method, moves]) =>
    moves.flatMap(([froms, to, cause]) =>
      froms
        .split(' ')
        .map((from): [string, Cause] => [
          causeKey({ from: from as ScriptStatus, to, method: method as ScriptMethod }),
          cause,
        ]),
    ),
  ),
)

/** A kit vendor without kits ends an order where nothing was delivered yet. */
function isFailedFulfilment({ to, method, detail }: ScriptStep): boolean {
  const isEnd = to === 'cancelled' || to === 'failure_to_deliver_to_customer'
  return method === 'testkit' && isEnd && detail === 'fulfillment_error'
}

/** All moves that the outside world can bring about with a method, without details. */
export function scriptableSteps(method: ScriptMethod): ScriptStep[] {
  return MOVES[method].flatMap(([froms, to, cause]) =>
    cause === 'api'
      ? []
      : froms.split(' ').map((from) => ({ from: from as ScriptStatus, to, method })),
  )
}

/** False for moves that only the API, or nobody, can make. */
export function isScriptable(step: ScriptStep): boolean {
  const cause = causes.get(causeKey(step))
  return cause !== undefined && (cause !== 'api' || isFailedFulfilment(step))
}

const REPORTS: Partial<Record<Cause, ReportWish>> = {
  partial_report: { status: 'partial', hasMissingResults: false },
  final_report: { status: 'final', hasMissingResults: false },
  report_with_gaps: { status: 'final', hasMissingResults: true },
  corrected_report: { status: 'corrected', hasMissingResults: false },
}

interface Scene {
  step: ScriptStep
  about: { order: OrderReference; at: Date }
  facts: ScriptFacts
}

function scan({ about, facts }: Scene, direction: 'outbound' | 'inbound', seen: Scan): LabNews {
  const parcel = (direction === 'outbound' ? outboundParcel : inboundParcel)(facts.seed)
  return { kind: 'scan', ...about, direction, scan: seen, ...parcel }
}

function tell(cause: Cause, scene: Scene): LabNews[] {
  const { about, facts, step } = scene
  const [direction, seen] = cause.split(' ')
  if (direction === 'outbound' || direction === 'inbound') {
    return [scan(scene, direction, seen as Scan)]
  }
  const wish = REPORTS[cause]
  if (wish !== undefined) return [{ kind: 'report', ...about, report: facts.report(wish) }]
  switch (cause) {
    case 'requisition_accepted':
      return [{ kind: cause, ...about, sampleId: facts.sampleId }]
    case 'kit_dispatched':
      return [
        { kind: cause, ...about, sampleId: facts.sampleId },
        scan(scene, 'outbound', 'in_transit'),
      ]
    case 'sample_received':
      return [scan(scene, 'inbound', 'delivered'), { kind: cause, ...about }]
    case 'processing_blocked':
    case 'sample_error':
      return [{ kind: cause, ...about, detail: step.detail ?? null }]
    case 'processing_resumed':
    case 'sample_lost':
    case 'do_not_process':
    case 'appointment_pending':
    case 'appointment_scheduled':
    case 'appointment_cancelled':
    case 'draw_completed':
      return [{ kind: cause, ...about }]
    default:
      return []
  }
}

/** What the outside world says so that an order makes a step; empty when it cannot bring it about. */
export function newsFor(
  step: ScriptStep,
  order: OrderReference,
  facts: ScriptFacts,
  at: Date,
): LabNews[] {
  if (!isScriptable(step)) return []
  const about = { order, at }
  if (isFailedFulfilment(step)) return [{ kind: 'fulfillment_failed', ...about }]
  const cause = causes.get(causeKey(step))
  return cause === undefined ? [] : tell(cause, { step, about, facts })
}
