/** The public interface of lab gateways: `@salus/contracts/lab-gateway`. */

export type { CauseBy, LowLevelStatus, StatusDetail } from '../order-lifecycle/index.ts'
export type {
  AllocatedNumbers,
  ConnectionCheck,
  ConnectionStore,
  LabConnection,
  OpenedConnection,
  OutgoingMessage,
  OutgoingPurpose,
  StoredAnswer,
} from './connection/connection-store.ts'
export {
  type ConnectionProfile,
  LabConnectionConfig,
} from './connection/lab-connection.schema.ts'
export { type NumberRules, numberRulesOf } from './connection/number-rules.ts'
export { ResultTransport, SendingTransport } from './connection/transport.schema.ts'
export {
  type CancellationAnswer,
  type CancelledOrder,
  type Deliver,
  type InboundMessage,
  type LabGateway,
  type Placement,
  type Receipt,
  type Refusal,
  type StoredMessage,
  UnreadableMessage,
  type UnreadableReason,
} from './lab-gateway.ts'
export {
  type KnownAppointment,
  type LabSimulator,
  SANDBOX_ACCOUNT_ID,
  type SimulatedOccurrence,
  type SimulatedReport,
} from './lab-simulator.ts'
export {
  type AppointmentUpdate,
  COURIERS,
  type Courier,
  causeOfUpdate,
  isAppointmentUpdate,
  type OrderReference,
  OrderUpdate,
  type StatusUpdate,
} from './order-update.schema.ts'
export type {
  Requisition,
  RequisitionBilling,
  RequisitionGuarantor,
  RequisitionImage,
  RequisitionInsurance,
  RequisitionPatient,
  RequisitionResult,
  RequisitionTest,
} from './requisition.ts'
export {
  FAILURE_TYPES,
  type FailureType,
  INTERPRETATIONS,
  type Interpretation,
  type MissingResult,
  type NamedResult,
  type PerformingLaboratory,
  REPORTED_STATUSES,
  RESULT_TYPES,
  type ReportedDocument,
  type ReportedDocumentHead,
  type ReportedPatient,
  type ReportedResult,
  type ReportedTest,
  type ReportedTime,
  ResultMessage,
  type ResultType,
  TEST_ORIGINS,
  TEST_STATUSES,
} from './result-message.schema.ts'
export {
  type BookingAnswer,
  type OfferedSlot,
  ProviderUnavailable,
  type SchedulingGateway,
  type SchedulingGateways,
  type Slot,
  type SlotDay,
  type SlotPlace,
  type SlotSearch,
  type Visit,
  type VisitAddress,
} from './scheduling/scheduling-gateway.ts'
export {
  APPOINTMENT_LABS,
  APPOINTMENT_PROVIDERS,
  APPOINTMENT_SERVICE_TYPES,
  APPOINTMENT_TYPES,
  type AppointmentLab,
  type AppointmentProvider,
  type AppointmentServiceType,
  type AppointmentType,
  SCHEDULING_PROVIDERS,
} from './scheduling/scheduling-providers.registry.ts'
export type {
  Booking,
  BookingReference,
  DelayedAnswer,
  Seat,
  SeatOutcome,
  SlotStore,
} from './scheduling/slot-store.ts'
