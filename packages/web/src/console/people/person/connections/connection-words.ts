import type { Tone } from '../../../components/status-badge.tsx'

export const CONNECTION_STATES: Record<string, { tone: Tone; title: string }> = {
  connected: { tone: 'good', title: 'Connected' },
  error: { tone: 'bad', title: 'Needs reconnecting' },
  paused: { tone: 'neutral', title: 'Paused' },
}

/**
 * Meaning and remedy of errors of a connection (docs/contract/02-users.md#connectionerrordetails).
 */
export const CONNECTION_ERRORS: Record<string, string> = {
  token_refresh_failed:
    'The provider no longer accepts the access that the person granted, because it expired or was revoked. The person must sign in again.',
  webhook_registration_failed:
    'The provider refused to register a webhook. Check the app that is registered with the provider, then connect again. The person cannot mend this.',
  user_not_found:
    'The account no longer exists at the provider. The person must sign in with another one.',
  deregistered_per_provider:
    'The person ended the connection at the provider. They can connect again if that was not intended.',
  required_scopes_not_granted:
    'The person revoked a permission that your team requires. They must connect again and grant it.',
  provider_credential_error:
    'The provider no longer accepts the password. The person must sign in again.',
  provider_password_expired:
    'The provider requires a new password. The person must change it there, and then sign in again.',
  provider_consent_needed:
    'The provider requires the person to agree to something in its app. They must do that, and then sign in again.',
}

/** Text for an error that has no row above. */
export const UNKNOWN_ERROR = 'The provider refuses requests. The person must connect again.'
