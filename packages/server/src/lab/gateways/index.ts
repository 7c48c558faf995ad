export {
  type LabGateway,
  type Placement,
  type StoredMessage,
  UnreadableMessage,
} from './lab-gateway.ts'
export {
  COURIERS,
  type Courier,
  type LabNews,
  type LabNewsKind,
  type OrderReference,
  SCANS,
  type Scan,
  STATUS_DETAILS,
  type StatusDetail,
} from './lab-news.ts'
export {
  FAILURE_TYPES,
  type FailureType,
  INTERPRETATIONS,
  type Interpretation,
  type LabReport,
  type MissingResult,
  type PerformingLaboratory,
  RESULT_TYPES,
  type ReportedPatient,
  type ReportedResult,
  type ReportedTime,
  type ResultType,
} from './lab-report.ts'
export { createLabGateways, type LabGateways } from './registry.ts'
export type {
  Requisition,
  RequisitionPatient,
  RequisitionResult,
  RequisitionTest,
} from './requisition.ts'
export * from './sandbox/index.ts'
