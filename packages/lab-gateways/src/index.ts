/** Gateways to laboratories over the connections of an operator: `@salus/lab-gateways`. */
export {
  type ConnectionProblem,
  findConnectionProblems,
} from './hl7/connection/connection-problems.ts'
export { resolveConnection } from './hl7/connection/resolve-connection.ts'
export type { ResolvedConnection } from './hl7/connection/resolved-connection.ts'
export { HL7_CONTENT_TYPE, splitStored } from './hl7/exchange/receive.ts'
export { createHl7Gateway } from './hl7/hl7-gateway.ts'
export { writeOrder } from './hl7/orders/write-order.ts'
export { createTransports, type TransportParts } from './transports/create-transports.ts'
