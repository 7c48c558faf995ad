/** Gateways to laboratories over the connections of an operator: `@salus/lab-gateways`. */
export { findConnectionProblems } from './hl7/connection/connection-problems.ts'
export { describeMessage, locateProblem } from './hl7/viewer/describe-message.ts'
export { openConnection } from './open-connection.ts'
