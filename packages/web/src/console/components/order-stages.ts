import { describeOrderStatus, lowLevelStatus } from './order-words.ts'

/** Fields of an order that its track shows. */
export interface TrackedOrder {
  activate_by?: string | null
  details: { type: string }
  events: readonly TrackedEvent[]
}

export interface TrackedEvent {
  id: number
  created_at: string
  status: string
  status_detail?: string | null
}

/**
 * State of a stage. `problem`: the order stays here until someone acts; `ended`: it goes no
 * further.
 */
export type StageState = 'done' | 'current' | 'problem' | 'ended' | 'skipped' | 'ahead'

export interface Stage {
  name: string
  state: StageState
  /** Last event of this stage. */
  event: TrackedEvent | undefined
}

interface StageType {
  name: string
  statuses: readonly string[]
  /** Shown only if the order reached it. */
  isOptional?: boolean
}

const ORDERED = { name: 'Ordered', statuses: ['ordered'] }
const ACCEPTED = {
  name: 'Accepted',
  statuses: ['requisition_created', 'requisition_bypassed'],
}
const VISIT = {
  name: 'Appointment',
  statuses: ['appointment_pending', 'appointment_scheduled', 'appointment_cancelled'],
}
const COLLECTED = { name: 'Collected', statuses: ['draw_completed'] }
const KIT_SENT = {
  name: 'Kit sent',
  statuses: ['transit_customer', 'out_for_delivery', 'problem_in_transit_customer'],
}
const WITH_PERSON = { name: 'With the person', statuses: ['with_customer'] }
const SENT_BACK = { name: 'Sent back', statuses: ['transit_lab', 'problem_in_transit_lab'] }
const AT_LABORATORY = {
  name: 'At the laboratory',
  statuses: ['delivered_to_lab', 'lab_processing_blocked'],
}
const PARTIAL = { name: 'First results', statuses: ['partial_results'], isOptional: true }
const RESULTS = { name: 'Results', statuses: ['completed', 'corrected'] }

/** Stages of an order of each collection method (docs/contract/12-order-lifecycle.md). */
const STAGES: Readonly<Record<string, readonly StageType[]>> = {
  walk_in_test: [ORDERED, ACCEPTED, { ...VISIT, isOptional: true }, PARTIAL, RESULTS],
  at_home_phlebotomy: [ORDERED, ACCEPTED, VISIT, COLLECTED, PARTIAL, RESULTS],
  on_site_collection: [ORDERED, ACCEPTED, COLLECTED, PARTIAL, RESULTS],
  testkit: [ORDERED, ACCEPTED, KIT_SENT, WITH_PERSON, SENT_BACK, AT_LABORATORY, RESULTS],
}

/** A kit that was ordered without a patient is accepted once it is registered. */
const UNREGISTERED_KIT: readonly StageType[] = [
  { ...ORDERED, statuses: ['ordered', 'awaiting_registration'] },
  KIT_SENT,
  WITH_PERSON,
  { name: 'Registered', statuses: ['registered'] },
  ACCEPTED,
  SENT_BACK,
  AT_LABORATORY,
  RESULTS,
]

/** Statuses after which an order goes no further, results aside. */
const ENDS = new Set([
  'cancelled',
  'do_not_process',
  'lost',
  'sample_error',
  'redraw_available',
  'failure_to_deliver_to_customer',
  'failure_to_deliver_to_lab',
])

/**
 * Returns the stages of an order from the first to the last, each with its state. The last stage of
 * an order that ended before its results is its end, in place of the stages that it did not reach.
 */
export function listStages(order: TrackedOrder): Stage[] {
  const types = stagesOf(order)
  const events = order.events.toSorted((one, other) => one.id - other.id)
  const last = events.at(-1)
  const reached = Math.max(0, ...events.map((event) => stageOf(types, event)))
  const hasEnded = last !== undefined && ENDS.has(lowLevelStatus(last.status))
  const now = last === undefined ? 0 : stageOf(types, last)
  const stages = types.flatMap((type, index): Stage[] => {
    const event = events.findLast((each) => stageOf(types, each) === index)
    if (event === undefined && (type.isOptional === true || (hasEnded && index > reached)))
      return []
    return [{ name: type.name, event, state: stateOf(index, { now, reached, event, hasEnded }) }]
  })
  if (!hasEnded || last === undefined) return stages
  return [...stages, { name: describeOrderStatus(last.status).label, state: 'ended', event: last }]
}

function stagesOf({ details, events }: TrackedOrder): readonly StageType[] {
  const isUnregistered = events.some(({ status }) =>
    ['awaiting_registration', 'registered'].includes(lowLevelStatus(status)),
  )
  if (isUnregistered) return UNREGISTERED_KIT
  return STAGES[details.type] ?? [ORDERED, ACCEPTED, RESULTS]
}

const stageOf = (types: readonly StageType[], { status }: TrackedEvent): number =>
  types.findIndex(({ statuses }) => statuses.includes(lowLevelStatus(status)))

interface Progress {
  /** Stage of the order now. */
  now: number
  /** Furthest stage of the order: a kit may be registered after it was sent. */
  reached: number
  event: TrackedEvent | undefined
  hasEnded: boolean
}

function stateOf(index: number, { now, reached, event, hasEnded }: Progress): StageState {
  if (event === undefined) return index < reached ? 'skipped' : 'ahead'
  if (hasEnded || index !== now) return 'done'
  const { tone } = describeOrderStatus(event.status)
  if (tone === 'good') return 'done'
  return tone === 'warning' ? 'problem' : 'current'
}
