import type { Cause } from './causes.ts'
import type { CollectionMethod, Group, LowLevelStatus } from './statuses.ts'

/** A transition of an order with all its causes, the usual one first. */
export interface Transition {
  from: LowLevelStatus
  to: LowLevelStatus
  causes: readonly Cause[]
}

/**
 * The state machine of a collection method: its statuses with their groups, and its transitions.
 */
export interface MethodMachine {
  groups: Partial<Record<LowLevelStatus, Group>>
  transitions: readonly Transition[]
  /**
   * Statuses of an order that goes well, to its end
   * (docs/contract/12-order-lifecycle.md#simulation-paths).
   */
  successPath: readonly LowLevelStatus[]
}

/**
 * One row of a table of docs/contract/12-order-lifecycle.md: source statuses, causes, target
 * status.
 */
type Row = [
  from: LowLevelStatus | readonly LowLevelStatus[],
  cause: Cause | readonly Cause[],
  to: LowLevelStatus,
]

/** Merges rows with the same source and target into one transition with the causes of all. */
function toTransitions(rows: readonly Row[]): Transition[] {
  const known = new Map<string, Transition>()
  for (const [froms, causes, to] of rows) {
    for (const from of [froms].flat() as LowLevelStatus[]) {
      const before = known.get(`${from} ${to}`)?.causes ?? []
      known.set(`${from} ${to}`, { from, to, causes: [before, causes].flat(2) as Cause[] })
    }
  }
  return [...known.values()]
}

/** Statuses of every method; their groups are the same everywhere. */
const COMMON_GROUPS = {
  ordered: 'received',
  requisition_created: 'received',
  requisition_bypassed: 'received',
  completed: 'completed',
  corrected: 'completed',
  sample_error: 'failed',
  cancelled: 'cancelled',
} as const
const APPOINTMENT_GROUPS = {
  appointment_pending: 'collecting_sample',
  appointment_scheduled: 'collecting_sample',
  appointment_cancelled: 'collecting_sample',
} as const

const COMMON_ROWS: readonly Row[] = [
  ['ordered', 'requisition_accepted', 'requisition_created'],
  ['ordered', 'import_order', 'requisition_bypassed'],
  [['completed', 'corrected'], 'corrected_result', 'corrected'],
]

const BEFORE_WALK_IN = [
  'requisition_created',
  'requisition_bypassed',
  'appointment_pending',
  'appointment_scheduled',
  'appointment_cancelled',
] as const

const WALK_IN: MethodMachine = {
  groups: {
    ...COMMON_GROUPS,
    ...APPOINTMENT_GROUPS,
    partial_results: 'sample_with_lab',
    // Final for this order, but the patient is expected to give another sample.
    redraw_available: 'collecting_sample',
  },
  transitions: toTransitions([
    ...COMMON_ROWS,
    [['requisition_created', 'requisition_bypassed'], 'appointment_pending', 'appointment_pending'],
    ['appointment_pending', 'appointment_scheduled', 'appointment_scheduled'],
    ['appointment_scheduled', 'appointment_pending', 'appointment_pending'],
    [
      ['appointment_pending', 'appointment_scheduled'],
      'appointment_cancelled',
      'appointment_cancelled',
    ],
    ['appointment_cancelled', 'appointment_pending', 'appointment_pending'],
    [BEFORE_WALK_IN, 'partial_result', 'partial_results'],
    ['partial_results', 'partial_result', 'partial_results'],
    [[...BEFORE_WALK_IN, 'partial_results'], 'final_result', 'completed'],
    [[...BEFORE_WALK_IN, 'partial_results'], 'final_result_with_gaps', 'redraw_available'],
    [[...BEFORE_WALK_IN, 'partial_results'], 'sample_error', 'sample_error'],
    [['ordered', ...BEFORE_WALK_IN], ['cancel_order', 'cancelled_by_lab'], 'cancelled'],
    ['partial_results', 'cancelled_by_lab', 'cancelled'],
  ]),
  successPath: ['ordered', 'requisition_created', 'completed'],
}

const AT_HOME: MethodMachine = {
  groups: {
    ...COMMON_GROUPS,
    ...APPOINTMENT_GROUPS,
    draw_completed: 'collecting_sample',
    partial_results: 'sample_with_lab',
  },
  transitions: toTransitions([
    ...COMMON_ROWS,
    [['requisition_created', 'requisition_bypassed'], 'appointment_pending', 'appointment_pending'],
    ['appointment_pending', 'appointment_scheduled', 'appointment_scheduled'],
    ['appointment_scheduled', 'appointment_scheduled', 'appointment_scheduled'],
    [
      ['appointment_pending', 'appointment_scheduled'],
      'appointment_cancelled',
      'appointment_cancelled',
    ],
    ['appointment_cancelled', 'appointment_pending', 'appointment_pending'],
    ['appointment_cancelled', 'appointment_scheduled', 'appointment_scheduled'],
    ['appointment_scheduled', 'draw_completed', 'draw_completed'],
    [['draw_completed', 'appointment_scheduled'], 'partial_result', 'partial_results'],
    ['partial_results', 'partial_result', 'partial_results'],
    [['draw_completed', 'partial_results', 'appointment_scheduled'], 'final_result', 'completed'],
    [['draw_completed', 'partial_results'], 'sample_error', 'sample_error'],
    [
      ['ordered', ...BEFORE_WALK_IN, 'draw_completed'],
      ['cancel_order', 'cancelled_by_lab'],
      'cancelled',
    ],
    ['partial_results', 'cancelled_by_lab', 'cancelled'],
  ]),
  successPath: [
    'ordered',
    'requisition_created',
    'appointment_pending',
    'appointment_scheduled',
    'draw_completed',
    'completed',
  ],
}

const HAS_REQUISITION = ['requisition_created', 'requisition_bypassed'] as const

const ON_SITE: MethodMachine = {
  groups: {
    ...COMMON_GROUPS,
    draw_completed: 'sample_with_lab',
    partial_results: 'sample_with_lab',
  },
  transitions: toTransitions([
    ...COMMON_ROWS,
    [HAS_REQUISITION, ['complete_draw', 'draw_completed'], 'draw_completed'],
    [['draw_completed', ...HAS_REQUISITION], 'partial_result', 'partial_results'],
    ['partial_results', 'partial_result', 'partial_results'],
    [['draw_completed', 'partial_results', ...HAS_REQUISITION], 'final_result', 'completed'],
    [['draw_completed', 'partial_results'], 'sample_error', 'sample_error'],
    [
      ['ordered', ...HAS_REQUISITION, 'draw_completed'],
      ['cancel_order', 'cancelled_by_lab'],
      'cancelled',
    ],
    ['partial_results', 'cancelled_by_lab', 'cancelled'],
  ]),
  successPath: ['ordered', 'requisition_created', 'draw_completed', 'completed'],
}

const ON_ITS_WAY_OUT = [
  'transit_customer',
  'out_for_delivery',
  'problem_in_transit_customer',
] as const
const IN_TRANSIT_BACK = ['transit_lab', 'problem_in_transit_lab'] as const
const WITH_LAB = ['delivered_to_lab', 'lab_processing_blocked'] as const

const TESTKIT: MethodMachine = {
  groups: {
    ...COMMON_GROUPS,
    awaiting_registration: 'received',
    registered: 'received',
    transit_customer: 'collecting_sample',
    out_for_delivery: 'collecting_sample',
    with_customer: 'collecting_sample',
    transit_lab: 'collecting_sample',
    problem_in_transit_customer: 'collecting_sample',
    problem_in_transit_lab: 'collecting_sample',
    delivered_to_lab: 'sample_with_lab',
    lab_processing_blocked: 'sample_with_lab',
    failure_to_deliver_to_customer: 'failed',
    failure_to_deliver_to_lab: 'failed',
    lost: 'failed',
    do_not_process: 'cancelled',
  },
  transitions: toTransitions([
    ...COMMON_ROWS,
    ['ordered', 'order_kit', 'awaiting_registration'],
    [
      ['requisition_created', 'awaiting_registration', 'requisition_bypassed'],
      'outbound in_transit',
      'transit_customer',
    ],
    ['transit_customer', 'outbound out_for_delivery', 'out_for_delivery'],
    [ON_ITS_WAY_OUT, 'outbound delivered', 'with_customer'],
    [['transit_customer', 'out_for_delivery'], 'outbound exception', 'problem_in_transit_customer'],
    ['problem_in_transit_customer', 'outbound in_transit', 'transit_customer'],
    ['problem_in_transit_customer', 'outbound out_for_delivery', 'out_for_delivery'],
    [
      ON_ITS_WAY_OUT,
      ['outbound not_deliverable', 'fulfillment_failed'],
      'failure_to_deliver_to_customer',
    ],
    [['with_customer', 'awaiting_registration', ...ON_ITS_WAY_OUT], 'register_kit', 'registered'],
    ['registered', 'requisition_accepted', 'requisition_created'],
    [
      ['with_customer', 'requisition_created', 'requisition_bypassed'],
      'inbound in_transit',
      'transit_lab',
    ],
    ['transit_lab', 'inbound exception', 'problem_in_transit_lab'],
    ['problem_in_transit_lab', 'inbound in_transit', 'transit_lab'],
    [
      [
        'transit_lab',
        'with_customer',
        'requisition_created',
        'requisition_bypassed',
        'problem_in_transit_lab',
      ],
      'sample_received',
      'delivered_to_lab',
    ],
    [IN_TRANSIT_BACK, 'inbound not_deliverable', 'failure_to_deliver_to_lab'],
    // The parcel is lost, whichever party reports it and whichever direction the report names.
    [ON_ITS_WAY_OUT, ['outbound lost', 'inbound lost', 'sample_lost'], 'lost'],
    [IN_TRANSIT_BACK, ['inbound lost', 'outbound lost', 'sample_lost'], 'lost'],
    ['delivered_to_lab', ['sample_lost', 'inbound lost', 'outbound lost'], 'lost'],
    [WITH_LAB, 'processing_blocked', 'lab_processing_blocked'],
    ['lab_processing_blocked', 'processing_resumed', 'delivered_to_lab'],
    [WITH_LAB, 'sample_error', 'sample_error'],
    [WITH_LAB, 'final_result', 'completed'],
    [
      [
        'ordered',
        'awaiting_registration',
        'requisition_created',
        'requisition_bypassed',
        'registered',
      ],
      ['cancel_order', 'fulfillment_failed', 'cancelled_by_lab'],
      'cancelled',
    ],
    [['with_customer', ...IN_TRANSIT_BACK, ...WITH_LAB], 'cancelled_by_lab', 'cancelled'],
    [
      ['with_customer', 'transit_lab', 'problem_in_transit_lab', ...WITH_LAB],
      'do_not_process',
      'do_not_process',
    ],
  ]),
  successPath: [
    'ordered',
    'requisition_created',
    'transit_customer',
    'out_for_delivery',
    'with_customer',
    'transit_lab',
    'delivered_to_lab',
    'completed',
  ],
}

/** The four machines of docs/contract/12-order-lifecycle.md. */
export const MACHINES: Readonly<Record<CollectionMethod, MethodMachine>> = {
  walk_in_test: WALK_IN,
  at_home_phlebotomy: AT_HOME,
  on_site_collection: ON_SITE,
  testkit: TESTKIT,
}
