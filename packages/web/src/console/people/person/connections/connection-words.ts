import type { Tone } from '../../../components/status-badge.tsx'

export const CONNECTION_STATES: Record<string, { tone: Tone; title: string }> = {
  connected: { tone: 'good', title: 'Connected' },
  error: { tone: 'bad', title: 'Needs reconnecting' },
  paused: { tone: 'neutral', title: 'Paused' },
}

/**
 * What an error of a connection means, and what helps
 * (docs/contract/02-users.md#connectionerrordetails).
 */
export const CONNECTION_ERRORS: Record<string, string> = {
  token_refresh_failed:
    'The provider no longer accepts the access that the person gave, because it ended or was taken back. The person has to sign in again.',
  webhook_registration_failed:
    'The provider refused to send its data here. Nothing helps on the side of the person; look at the app that is registered with the provider, then connect again.',
  user_not_found:
    'The provider says that the account no longer exists. The person has to sign in with another one.',
  deregistered_per_provider:
    'The person ended the connection on the side of the provider. They have to connect again if that was not meant.',
  required_scopes_not_granted:
    'The person took back a permission that your team demands. They have to connect again and grant it.',
  provider_credential_error:
    'The provider no longer accepts the password. The person has to sign in again.',
  provider_password_expired:
    'The provider wants the person to change the password there, and then to sign in again.',
}

/** For an error that has no row above. */
export const UNKNOWN_ERROR =
  'The provider refuses, and no longer for a while. The person has to connect again.'
