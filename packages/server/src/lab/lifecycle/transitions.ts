import type { CollectionMethod } from '../catalog/index.ts'
import type { Group, LowLevelStatus } from './statuses.ts'

/** One move that an order may make. */
export interface Transition {
  from: LowLevelStatus
  to: LowLevelStatus
  /** What makes it happen, for people. */
  trigger: string
}

/** What a collection method knows of states: its statuses with their groups, and its moves. */
export interface MethodMachine {
  groups: Partial<Record<LowLevelStatus, Group>>
  transitions: readonly Transition[]
  /** The end of a life that went well, and the way there (contract 12, "Simulation paths"). */
  successPath: readonly LowLevelStatus[]
}

/** One row of a table of contract 12: every status it starts from, the trigger, where it leads. */
type Row = [from: LowLevelStatus | readonly LowLevelStatus[], trigger: string, to: LowLevelStatus]

const expand = (rows: readonly Row[]): Transition[] =>
  rows.flatMap(([from, trigger, to]) =>
    (typeof from === 'string' ? [from] : from).map((status) => ({ from: status, to, trigger })),
  )

const ACCEPTED = 'laboratory accepted the requisition'
const IMPORTED = 'imported'
const PARTIAL = 'laboratory sent a partial result'
const FURTHER_PARTIAL = 'laboratory sent a further partial result'
const FINAL = 'laboratory sent the final result'
const CORRECTED = 'laboratory sent a corrected result'
const UNUSABLE = 'laboratory could not process the sample'
const CANCELLED = 'order cancelled'
const BOOKED = 'appointment booked or requested'
const CONFIRMED = 'appointment confirmed'
const APPOINTMENT_CANCELLED = 'appointment cancelled'

/** Statuses of every method, with the groups they have everywhere. */
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
  ['ordered', ACCEPTED, 'requisition_created'],
  ['ordered', IMPORTED, 'requisition_bypassed'],
  [['completed', 'corrected'], CORRECTED, 'corrected'],
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
    // Final for this order, but the person is to give another sample.
    redraw_available: 'collecting_sample',
  },
  transitions: expand([
    ...COMMON_ROWS,
    [['requisition_created', 'requisition_bypassed'], BOOKED, 'appointment_pending'],
    ['appointment_pending', CONFIRMED, 'appointment_scheduled'],
    ['appointment_scheduled', 'appointment rescheduled', 'appointment_pending'],
    [
      ['appointment_pending', 'appointment_scheduled'],
      APPOINTMENT_CANCELLED,
      'appointment_cancelled',
    ],
    ['appointment_cancelled', BOOKED, 'appointment_pending'],
    [BEFORE_WALK_IN, PARTIAL, 'partial_results'],
    ['partial_results', FURTHER_PARTIAL, 'partial_results'],
    [[...BEFORE_WALK_IN, 'partial_results'], FINAL, 'completed'],
    [
      [...BEFORE_WALK_IN, 'partial_results'],
      'final result lacks markers by fault of the laboratory',
      'redraw_available',
    ],
    [[...BEFORE_WALK_IN, 'partial_results'], UNUSABLE, 'sample_error'],
    [['ordered', ...BEFORE_WALK_IN], CANCELLED, 'cancelled'],
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
  transitions: expand([
    ...COMMON_ROWS,
    [['requisition_created', 'requisition_bypassed'], BOOKED, 'appointment_pending'],
    ['appointment_pending', CONFIRMED, 'appointment_scheduled'],
    ['appointment_scheduled', 'appointment rescheduled', 'appointment_scheduled'],
    [
      ['appointment_pending', 'appointment_scheduled'],
      APPOINTMENT_CANCELLED,
      'appointment_cancelled',
    ],
    ['appointment_cancelled', BOOKED, 'appointment_pending'],
    ['appointment_cancelled', 'appointment booked and confirmed at once', 'appointment_scheduled'],
    ['appointment_scheduled', 'phlebotomist finished the draw', 'draw_completed'],
    [['draw_completed', 'appointment_scheduled'], PARTIAL, 'partial_results'],
    ['partial_results', FURTHER_PARTIAL, 'partial_results'],
    [['draw_completed', 'partial_results', 'appointment_scheduled'], FINAL, 'completed'],
    [['draw_completed', 'partial_results'], UNUSABLE, 'sample_error'],
    [['ordered', ...BEFORE_WALK_IN, 'draw_completed'], CANCELLED, 'cancelled'],
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
  transitions: expand([
    ...COMMON_ROWS,
    [HAS_REQUISITION, 'draw reported by the customer', 'draw_completed'],
    [['draw_completed', ...HAS_REQUISITION], PARTIAL, 'partial_results'],
    ['partial_results', FURTHER_PARTIAL, 'partial_results'],
    [['draw_completed', 'partial_results', ...HAS_REQUISITION], FINAL, 'completed'],
    [['draw_completed', 'partial_results'], UNUSABLE, 'sample_error'],
    [['ordered', ...HAS_REQUISITION, 'draw_completed'], CANCELLED, 'cancelled'],
  ]),
  successPath: ['ordered', 'requisition_created', 'draw_completed', 'completed'],
}

const ON_ITS_WAY_OUT = [
  'transit_customer',
  'out_for_delivery',
  'problem_in_transit_customer',
] as const
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
  transitions: expand([
    ...COMMON_ROWS,
    ['ordered', 'ordered without a patient', 'awaiting_registration'],
    [
      ['requisition_created', 'awaiting_registration', 'requisition_bypassed'],
      'outbound parcel scanned',
      'transit_customer',
    ],
    ['transit_customer', 'courier: out for delivery', 'out_for_delivery'],
    [ON_ITS_WAY_OUT, 'courier: delivered', 'with_customer'],
    [
      ['transit_customer', 'out_for_delivery'],
      'courier: exception on the way out',
      'problem_in_transit_customer',
    ],
    ['problem_in_transit_customer', 'courier: moving again', 'transit_customer'],
    ['problem_in_transit_customer', 'courier: out for delivery', 'out_for_delivery'],
    [ON_ITS_WAY_OUT, 'courier: not deliverable', 'failure_to_deliver_to_customer'],
    [['with_customer', 'awaiting_registration', ...ON_ITS_WAY_OUT], 'kit registered', 'registered'],
    ['registered', ACCEPTED, 'requisition_created'],
    [
      ['with_customer', 'requisition_created', 'requisition_bypassed'],
      'return parcel scanned',
      'transit_lab',
    ],
    ['transit_lab', 'courier: exception on the way back', 'problem_in_transit_lab'],
    ['problem_in_transit_lab', 'courier: moving again', 'transit_lab'],
    [
      [
        'transit_lab',
        'with_customer',
        'requisition_created',
        'requisition_bypassed',
        'problem_in_transit_lab',
      ],
      'laboratory received the kit',
      'delivered_to_lab',
    ],
    [
      ['transit_lab', 'problem_in_transit_lab'],
      'courier: not deliverable',
      'failure_to_deliver_to_lab',
    ],
    [
      [...ON_ITS_WAY_OUT, 'transit_lab', 'problem_in_transit_lab', 'delivered_to_lab'],
      'parcel or sample lost',
      'lost',
    ],
    [WITH_LAB, 'laboratory waits for data', 'lab_processing_blocked'],
    ['lab_processing_blocked', 'laboratory goes on', 'delivered_to_lab'],
    [WITH_LAB, UNUSABLE, 'sample_error'],
    [WITH_LAB, FINAL, 'completed'],
    [
      [
        'ordered',
        'awaiting_registration',
        'requisition_created',
        'requisition_bypassed',
        'registered',
      ],
      CANCELLED,
      'cancelled',
    ],
    [
      ['with_customer', 'transit_lab', 'problem_in_transit_lab', ...WITH_LAB],
      'operator: the laboratory must not process the kit',
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

/** The four machines of contract 12. */
export const MACHINES: Readonly<Record<CollectionMethod, MethodMachine>> = {
  walk_in_test: WALK_IN,
  at_home_phlebotomy: AT_HOME,
  on_site_collection: ON_SITE,
  testkit: TESTKIT,
}
