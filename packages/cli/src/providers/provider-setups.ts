/** Responses of the server: docs/contract/01-conventions.md#operation. */

export interface ProviderSetup {
  provider: string
  provider_name: string
  auth_type: string
  state: string
  reason: string | null
  app: 'not_needed' | 'missing' | 'configured'
  team_apps: number
  resources: string[]
}

export interface ProviderSetupDetails extends ProviderSetup {
  checks: { state: 'ok' | 'problem' | 'skipped'; message: string; advice: string | null }[]
  redirect_url: string | null
  push_url: string | null
  push_is_subscribed: boolean
  app_secrets: { name: string; meaning: string; is_required: boolean; is_set: boolean }[]
  app_settings: {
    name: string
    meaning: string
    is_required: boolean
    is_set: boolean
    default: string | null
  }[]
  scopes: string[]
  regions: string[]
  limits: string | null
  budgets: { per: string; requests: number; seconds: number }[]
  history_days: number
  time_zones: string | null
  documentation: string | null
  registration: string[]
  notes: string[]
}

export const SETUP_PATH = '/v1/operation/provider/setup'
