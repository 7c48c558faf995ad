/** Reason for which no connection was made, where the error of the driver does not say it. */
export type ConnectFailureReason = 'refused_address' | 'dns' | 'tls'

/**
 * Has only its reason as message: messages of the driver contain names and addresses of customers.
 */
export class ConnectFailure extends Error {
  readonly reason: ConnectFailureReason

  constructor(reason: ConnectFailureReason) {
    super(reason)
    this.reason = reason
  }
}
