export {
  CAUSES,
  type Cause,
  type CauseBy,
  DIRECTIONS,
  type Direction,
  isFromOutside,
  type PlainUpdate,
  SCANS,
  type Scan,
} from './causes.ts'
export {
  allowedStatuses,
  allowedTransitions,
  canBecomeStatus,
  groupOf,
  isTerminal,
  type OrderFacts,
  orderStatus,
  statusAfterCause,
  statusesAfter,
  TERMINAL,
  transactionStatus,
} from './machine.ts'
export {
  BEFORE_HANDING_OVER,
  COLLECTION_METHODS,
  type CollectionMethod,
  GROUPS,
  LOW_LEVEL_STATUSES,
  type LowLevelStatus,
  STATUS_DETAILS,
  type StatusDetail,
} from './statuses.ts'
export { MACHINES, type Transition } from './transitions.ts'
