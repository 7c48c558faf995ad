/** The public interface of services around an order: `@salus/contracts/lab-partners`. */

export type { CourierTracker, TrackedParcel } from './courier-tracker.ts'
export {
  BENEFIT_KINDS,
  type Benefit,
  type BenefitKind,
  type CoverageStatus,
  type CoveredPerson,
  type EligibilityAnswer,
  type EligibilityGateway,
  type EligibilityQuestion,
} from './eligibility-gateway.ts'
export {
  REJECTION_CODES,
  type Rejection,
  type RejectionCode,
  rejectionOf,
} from './eligibility-rejections.ts'
export type { LabPartners, PartnersOfEnvironment } from './lab-partners.ts'
export type { NpiRegistry, ProviderTaxonomy, RegisteredProvider } from './npi-registry.ts'
export {
  type LabPartner,
  PartnerFailure,
  type PartnerFailureReason,
} from './partner-failure.ts'
