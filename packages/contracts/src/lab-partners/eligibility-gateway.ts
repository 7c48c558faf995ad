import type { Rejection } from './eligibility-rejections.ts'

/** A person as a payor compares it. */
export interface CoveredPerson {
  firstName: string
  lastName: string
  /** YYYY-MM-DD; null when it is not known. */
  birthDate: string | null
  gender: 'female' | 'male' | null
}

/** A question to a payor about a person's coverage: an X12 270. */
export interface EligibilityQuestion {
  /** Ids of the payor at clearing houses, such as `{ stedi: ['60054'] }`. */
  payorIds: Readonly<Partial<Record<string, readonly string[]>>>
  memberId: string
  subscriber: CoveredPerson
  /** The patient when that is not the subscriber. */
  dependent: CoveredPerson | null
  /** X12 service type codes: `5` is diagnostic laboratory, `30` the plan in general. */
  serviceTypeCodes: readonly string[]
  /** YYYY-MM-DD; null for today. */
  dateOfService: string | null
}

export type CoverageStatus = 'active' | 'inactive' | 'unknown'

/** Kinds of benefits by EB01 of an X12 271; others, such as contacts, are left out. */
export const BENEFIT_KINDS = {
  A: 'co_insurance',
  B: 'co_payment',
  C: 'deductible',
  CB: 'coverage_basis',
  D: 'description',
  E: 'exclusion',
  F: 'limitation',
  G: 'out_of_pocket_maximum',
  I: 'not_covered',
  J: 'cost_containment',
  Y: 'spend_down',
} as const
export type BenefitKind = (typeof BENEFIT_KINDS)[keyof typeof BENEFIT_KINDS]

/** A benefit, or what the patient pays: an EB segment of an X12 271. */
export interface Benefit {
  kind: BenefitKind
  serviceTypeCodes: string[]
  /** EB02, such as `IND` for the individual. */
  coverageLevelCode: string | null
  /** US cents. */
  amountCents: number | null
  /** Share from 0 to 1, of a co-insurance what the patient pays. */
  share: number | null
  /** EB06 in words of the partner, such as `Calendar Year`. */
  period: string | null
  /** Whether it holds in the network of the plan; null when that does not matter or is not said. */
  isInNetwork: boolean | null
  /** Whether the payor requires an authorization first; null when it is not said. */
  needsAuthorization: boolean | null
  /** Messages of the payor. */
  notes: string[]
}

/** The answer of a payor: an X12 271. */
export interface EligibilityAnswer {
  status: CoverageStatus
  planName: string | null
  groupNumber: string | null
  /** YYYY-MM-DD */
  planBegins: string | null
  /** YYYY-MM-DD */
  planEnds: string | null
  benefits: Benefit[]
  /** Why the payor did not answer the question; then the status is `unknown`. */
  rejections: Rejection[]
}

/** A connection to payors through a clearing house. */
export interface EligibilityGateway {
  /** Returns whether the clearing house can reach a payor with these ids. */
  reaches(payorIds: EligibilityQuestion['payorIds']): boolean
  /** @throws PartnerFailure */
  check(question: EligibilityQuestion, signal?: AbortSignal): Promise<EligibilityAnswer>
}
