export {
  CAUSES,
  type Cause,
  type CauseBy,
  DIRECTIONS,
  isFromOutside,
  type PlainUpdate,
  SCANS,
  type Scan,
} from './causes.ts'
export {
  allowedStatuses,
  allowedTransitions,
  groupOf,
  isTerminal,
  mayBecome,
  type OrderFacts,
  orderStatus,
  statusBy,
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
