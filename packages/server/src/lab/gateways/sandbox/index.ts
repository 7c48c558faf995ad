export type { BelievableReportInput } from './believable-report.ts'
export {
  inboundParcel,
  isTrackingNumber,
  makeTrackingNumber,
  type NumberedCourier,
  outboundParcel,
  type Parcel,
  trackingUrlOf,
} from './couriers.ts'
export { delaySecondsFor } from './sandbox-delays.ts'
export {
  createSandboxGateway,
  SANDBOX_CONTENT_TYPE,
  writeSandboxMessage,
} from './sandbox-gateway.ts'
export {
  makeKitNumber,
  makeRequisitionNumber,
  makeSpecimenNumber,
  SANDBOX_ACCOUNT_ID,
} from './sandbox-numbers.ts'
export {
  detailsFor,
  isScriptable,
  newsFor,
  type ReportWish,
  type ScriptFacts,
  type ScriptStep,
  scriptableSteps,
} from './sandbox-script.ts'

/** What makes reports; loaded with the first of them, for it brings all analytes and their intervals. */
export const loadReportMaker = () => import('./believable-report.ts')

export type { ScriptMethod, ScriptStatus } from './sandbox-steps.registry.ts'
