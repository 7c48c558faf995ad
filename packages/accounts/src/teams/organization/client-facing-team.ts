import { notFound } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import type { TeamEnvironment } from './environment-settings.schema.ts'
import { findTeam, type TeamRow } from './teams.repository.ts'
import type { ClientFacingTeam } from './teams.schema.ts'

/**
 * Returns a team as its own key sees it: settings where they exist, the documented nulls elsewhere.
 */
function toClientFacingTeam(row: TeamRow, settings: TeamEnvironment): ClientFacingTeam {
  const bySms = settings.lab_tests_patient_sms_communication_enabled
  const byEmail = settings.lab_tests_patient_email_communication_enabled
  return {
    id: row.id,
    org_id: row.organization_id,
    name: row.name,
    svix_app_id: null,
    client_id: null,
    client_secret: null,
    airtable_api_key: null,
    airtable_base_id: null,
    webhook_secret: null,
    api_key: null,
    api_keys: null,
    configuration: {
      libreview: { practice_id: {}, strip_tz: false },
      texts_enabled: false,
      push_historical_data: settings.push_historical_data,
      provider_raw_data: false,
      reject_duplicate_connection: settings.reject_duplicate_connection,
      sdk_per_device_activity_timeseries: settings.sdk_per_device_activity_timeseries,
      partial_webhooks_enabled: settings.partial_webhooks_enabled,
      minor_ordering_enabled: settings.minor_ordering_enabled,
      eds_preferences: null,
      event_type_prefixes: settings.event_type_prefixes,
    },
    testkits_texts_enabled: false,
    lab_tests_patient_communication_enabled: bySms || byEmail,
    lab_tests_patient_sms_communication_enabled: bySms,
    lab_tests_patient_email_communication_enabled: byEmail,
    logo_url: settings.logo_url,
    critical_result_notification_email: settings.critical_result_notification_email,
    delegated_flow: 'order_and_results_with_customer_physician_network',
  }
}

/**
 * Returns the caller's own team as its key sees it
 * (docs/contract/01-conventions.md#team-endpoints).
 * @throws AppError 404 for any other team
 */
export async function getClientFacingTeam(
  { db, environment }: Scope,
  teamId: string,
): Promise<ClientFacingTeam> {
  const isOwn = environment.teamId === teamId.toLowerCase()
  const row = isOwn ? await findTeam(db, environment.organizationId, teamId) : undefined
  if (row === undefined) throw notFound('Team')
  return toClientFacingTeam(row, environment.settings)
}
