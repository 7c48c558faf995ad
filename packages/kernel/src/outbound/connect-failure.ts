/** Why no connection came about, where the error of the driver does not say it itself. */
export type ConnectFailureReason = 'refused_address' | 'dns' | 'tls'

/** Says nothing but its reason: messages of the driver hold names and addresses of customers. */
export class ConnectFailure extends Error {
  readonly reason: ConnectFailureReason

  constructor(reason: ConnectFailureReason) {
    super(reason)
    this.reason = reason
  }
}
