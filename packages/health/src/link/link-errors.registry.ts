/**
 * Errors of a sign-in (docs/contract/03-link.md#linkerrortype-and-conditions) with their messages.
 */
export const LINK_ERRORS = {
  invalid_token: 'The link token is missing or not valid.',
  token_expired: 'The link token has expired. Create a new one.',
  token_not_validated: 'The sign-in was not started with this provider.',
  token_consumed: 'The link token was already used for a connection.',
  provider_credential_error: 'The provider denied access or rejected the credential.',
  provider_password_expired: 'The provider requires a new password.',
  provider_consent_needed: 'The provider requires the user to agree to something in its app.',
  provider_nothing_shared: 'The account has no data, and no account shares data with it.',
  provider_blocked: 'The provider does not accept sign-ins at present. Try again later.',
  provider_api_error: 'The provider returned an unexpected response. Try again later.',
  unsupported_region: 'The region is not supported.',
  duplicate_connection: 'The account is connected to another user of the team.',
  required_scopes_not_granted: 'A permission that the team needs was not granted.',
  incorrect_mfa_code: 'The code is wrong.',
  user_cancelled: 'The user canceled the sign-in.',
} as const satisfies Record<string, string>

export type LinkErrorType = keyof typeof LINK_ERRORS

/** A failed sign-in. The response depends on the route: docs/contract/03-link.md#delivery. */
export class LinkError extends Error {
  readonly errorType: LinkErrorType
  /** Whether the request had no token. */
  readonly isMissing: boolean

  /** @param message Instead of the usual one of the type. */
  constructor(
    errorType: LinkErrorType,
    { isMissing = false, message = LINK_ERRORS[errorType] as string } = {},
  ) {
    super(message)
    this.name = 'LinkError'
    this.errorType = errorType
    this.isMissing = isMissing
  }
}
