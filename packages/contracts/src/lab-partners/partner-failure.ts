/** Services around an order, as in SALUS_LAB_PARTNERS. */
export type LabPartner = 'getlabs' | 'usps' | 'stedi' | 'nppes'

/** Reason for which a partner gave no usable answer. */
export type PartnerFailureReason =
  /** The partner announced maintenance. */
  | 'maintenance'
  | 'rate_limited'
  /** The partner refused the credentials of the operator. */
  | 'unauthorized'
  /** The partner refused the request as malformed. */
  | 'refused'
  /** No answer in time, or no connection. */
  | 'no_answer'
  | 'server_error'
  /** An answer that is not of the documented shape. */
  | 'malformed'

/**
 * A partner that gave no usable answer. It names the partner and the reason, and nothing that was
 * sent or received, because both are personal.
 */
export class PartnerFailure extends Error {
  readonly partner: LabPartner
  readonly reason: PartnerFailureReason
  /** Seconds that the partner wants callers to wait; null when it did not say. */
  readonly retryAfterSeconds: number | null

  constructor(
    partner: LabPartner,
    reason: PartnerFailureReason,
    retryAfterSeconds: number | null = null,
  ) {
    super(`${partner} gave no usable answer: ${reason}.`)
    this.name = 'PartnerFailure'
    this.partner = partner
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
  }
}
