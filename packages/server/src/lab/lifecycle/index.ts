export {
  allowedMoves,
  groupOf,
  isTerminal,
  mayMoveTo,
  type OrderFacts,
  orderStatus,
  statusesAfter,
  TERMINAL,
  transactionStatus,
  transitionsOf,
} from './machine.ts'
export { BEFORE_HANDING_OVER, GROUPS, LOW_LEVEL_STATUSES, type LowLevelStatus } from './statuses.ts'
export { MACHINES, type Transition } from './transitions.ts'
