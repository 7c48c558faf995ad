import {
  findOrderStatus,
  lowLevelStatus,
  STAGE_TITLES,
  type StageName,
} from './order-statuses.registry.ts'
import { describeOrderStatus } from './order-words.ts'

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
  name: StageName
  /** Shown only if the order reached it. */
  isOptional?: boolean
}

const requiredStages = (...names: StageName[]): StageType[] => names.map((name) => ({ name }))
const optionalStage = (name: StageName): StageType => ({ name, isOptional: true })
const PARTIAL = optionalStage('first_results')

/** Stages of an order of each collection method (docs/contract/12-order-lifecycle.md). */
const STAGES: Readonly<Record<string, readonly StageType[]>> = {
  walk_in_test: [
    ...requiredStages('ordered', 'accepted'),
    optionalStage('appointment'),
    PARTIAL,
    ...requiredStages('results'),
  ],
  at_home_phlebotomy: [
    ...requiredStages('ordered', 'accepted', 'appointment', 'collected'),
    PARTIAL,
    ...requiredStages('results'),
  ],
  on_site_collection: [
    ...requiredStages('ordered', 'accepted', 'collected'),
    PARTIAL,
    ...requiredStages('results'),
  ],
  testkit: requiredStages(
    'ordered',
    'accepted',
    'kit_sent',
    'with_person',
    'sent_back',
    'at_laboratory',
    'results',
  ),
}

/** A kit that was ordered without a patient is accepted once it is registered. */
const UNREGISTERED_KIT = requiredStages(
  'ordered',
  'kit_sent',
  'with_person',
  'registered',
  'accepted',
  'sent_back',
  'at_laboratory',
  'results',
)

/**
 * Returns the stages of an order from the first to the last, each with its state. The last stage of
 * an order that ended before its results is its end, in place of the stages that it did not reach.
 */
export function listStages(order: TrackedOrder): Stage[] {
  const types = stagesOf(order)
  const events = order.events.toSorted((one, other) => one.id - other.id)
  const last = events.at(-1)
  const reached = Math.max(0, ...events.map((event) => stageOf(types, event)))
  const hasEnded = last !== undefined && findOrderStatus(last.status)?.stage === 'end'
  const now = last === undefined ? 0 : stageOf(types, last)
  const reachedStages = types.flatMap((type, index): Stage[] => {
    const event = events.findLast((each) => stageOf(types, each) === index)
    if (event === undefined && (type.isOptional === true || (hasEnded && index > reached)))
      return []
    const name = STAGE_TITLES[type.name]
    return [{ name, event, state: stateOf(index, { now, reached, event, hasEnded }) }]
  })
  if (!hasEnded || last === undefined) return reachedStages
  return [
    ...reachedStages,
    { name: describeOrderStatus(last.status).label, state: 'ended', event: last },
  ]
}

function stagesOf({ details, events }: TrackedOrder): readonly StageType[] {
  const isUnregistered = events.some(({ status }) =>
    ['awaiting_registration', 'registered'].includes(lowLevelStatus(status)),
  )
  if (isUnregistered) return UNREGISTERED_KIT
  return STAGES[details.type] ?? requiredStages('ordered', 'accepted', 'results')
}

const stageOf = (types: readonly StageType[], { status }: TrackedEvent): number =>
  types.findIndex(({ name }) => name === findOrderStatus(status)?.stage)

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
