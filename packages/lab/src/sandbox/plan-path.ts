import {
  allowedTransitions,
  type Cause,
  isFromOutside,
  type LowLevelStatus,
  MACHINES,
  type OrderFacts,
  type StatusDetail,
} from '@salus/contracts/order-lifecycle'

/** Statuses late in a successful life, which are reached on the usual path. */
const LATE = new Set<LowLevelStatus>([
  'completed',
  'partial_results',
  'corrected',
  'redraw_available',
  'sample_error',
  'do_not_process',
  'lab_processing_blocked',
])

/** Cost of a step beside the usual path, higher than any number of usual steps. */
const DETOUR = 1000

/** Data of an order that determines its possible paths. */
export interface PlannedOrder extends OrderFacts {
  /** Whether the order has an active appointment; without one it does not wait for another time. */
  hasAppointment: boolean
}

interface Known {
  cost: number
  path: LowLevelStatus[]
}

/**
 * Returns the statuses from the current one to `target`, including it; undefined when there is no
 * path. The path has as few steps beside the usual path as possible. For a late target it follows
 * the whole usual path, and for an early one as little of it as possible.
 */
export function planPath(
  facts: PlannedOrder,
  target: LowLevelStatus,
): LowLevelStatus[] | undefined {
  const usual = usualSteps(facts)
  const usualCost = LATE.has(target) ? -1 : 1
  const best = new Map<LowLevelStatus, Known>([[facts.status, { cost: 0, path: [] }]])
  // Uses Bellman-Ford, because usual steps may have negative costs. The usual path has no cycle, so
  // every cycle includes a detour.
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const [from, known] of [...best]) {
      for (const to of stepsFrom(facts, from)) {
        const cost = known.cost + (usual.has(`${from} ${to}`) ? usualCost : DETOUR)
        const former = best.get(to)
        if (former !== undefined && former.cost <= cost) continue
        if (to === facts.status) continue
        best.set(to, { cost, path: [...known.path, to] })
        isChanged = true
      }
    }
  }
  if (target !== facts.status) return best.get(target)?.path
  // A repetition, where the state machine lets a status follow itself.
  return stepsFrom(facts, target).includes(target) ? [target] : undefined
}

function usualSteps({ method }: OrderFacts): Set<string> {
  const path = MACHINES[method].successPath
  return new Set(path.slice(1).map((to, index) => `${path[index]} ${to}`))
}

/** Returns the statuses to which an external update or a cancellation can bring the order. */
function stepsFrom(facts: PlannedOrder, from: LowLevelStatus): LowLevelStatus[] {
  const isTimed = facts.hasAppointment && from === 'appointment_scheduled'
  return allowedTransitions({ ...facts, status: from })
    .filter(({ causes }) => causesFor(causes, null).length > 0)
    .map(({ to }) => to)
    .filter((to) => !(isTimed && to === 'appointment_pending'))
}

/** Returns the causes by which a sandbox can trigger a transition, optionally with a detail. */
export function causesFor(causes: readonly Cause[], detail: StatusDetail | null): Cause[] {
  const isUnsupplied = detail === 'fulfillment_error' && causes.includes('fulfillment_failed')
  if (isUnsupplied) return ['fulfillment_failed']
  const chosen = causes.filter((cause) => cause !== 'fulfillment_failed' && isFromOutside(cause))
  return causes.includes('cancel_order') ? [...chosen, 'cancel_order'] : chosen
}
