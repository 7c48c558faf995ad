/** Gateways to laboratories over the connections of an operator: `@salus/lab-gateways`. */
export {
  type ConnectionProblem,
  findConnectionProblems,
} from './hl7/connection/connection-problems.ts'
export { splitMessages } from './hl7/exchange/acknowledge.ts'
export { isAnswerTo } from './hl7/exchange/answers.ts'
export { HL7_CONTENT_TYPE } from './hl7/exchange/receive.ts'
export { createHl7Gateway, type Transports } from './hl7/hl7-gateway.ts'
export type { Receiver, Sender, SentMessage } from './transports/transport.ts'
