import {
  allowedTransitions,
  type Cause,
  isFromOutside,
  type LowLevelStatus,
  MACHINES,
  type OrderFacts,
  type StatusDetail,
} from '@salus/contracts/order-lifecycle'

/**
 * Statuses that come at the end of a life that went well so far: the way there is the usual one.
 */
const LATE = new Set<LowLevelStatus>([
  'completed',
  'partial_results',
  'corrected',
  'redraw_available',
  'sample_error',
  'do_not_process',
  'lab_processing_blocked',
])

/** A step beside the usual path costs so much that any number of usual steps is cheaper. */
const DETOUR = 1000

/** What of an order decides about its ways. */
export interface PlannedOrder extends OrderFacts {
  /** It has an active appointment, without which nobody waits for a time again. */
  hasAppointment: boolean
}

interface Known {
  cost: number
  path: LowLevelStatus[]
}

/**
 * The statuses that lead from where an order is to `target`, that one included; undefined when
 * nothing leads there. As few steps beside the usual path as may be, and of the usual path all of
 * it for an end that comes late, as little as may be for one that comes early.
 */
export function planPath(
  facts: PlannedOrder,
  target: LowLevelStatus,
): LowLevelStatus[] | undefined {
  const usual = usualSteps(facts)
  const usualCost = LATE.has(target) ? -1 : 1
  const best = new Map<LowLevelStatus, Known>([[facts.status, { cost: 0, path: [] }]])
  // Bellman and Ford's way, because usual steps may have a price below nothing; the usual path has
  // no circle, so every circle costs a detour.
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
  // A further one of the same, where the tables let a status follow itself.
  return stepsFrom(facts, target).includes(target) ? [target] : undefined
}

function usualSteps({ method }: OrderFacts): Set<string> {
  const path = MACHINES[method].successPath
  return new Set(path.slice(1).map((to, index) => `${path[index]} ${to}`))
}

/** Where the outside world, or a cancel, can bring the order from a status. */
function stepsFrom(facts: PlannedOrder, from: LowLevelStatus): LowLevelStatus[] {
  const isTimed = facts.hasAppointment && from === 'appointment_scheduled'
  return allowedTransitions({ ...facts, status: from })
    .filter(({ causes }) => causesFor(causes, null).length > 0)
    .map(({ to }) => to)
    .filter((to) => !(isTimed && to === 'appointment_pending'))
}

/**
 * Of the causes of a transition those by which a sandbox can bring it about, with a detail or none.
 */
export function causesFor(causes: readonly Cause[], detail: StatusDetail | null): Cause[] {
  const isUnsupplied = detail === 'fulfillment_error' && causes.includes('fulfillment_failed')
  if (isUnsupplied) return ['fulfillment_failed']
  const chosen = causes.filter((cause) => cause !== 'fulfillment_failed' && isFromOutside(cause))
  return causes.includes('cancel_order') ? [...chosen, 'cancel_order'] : chosen
}
