import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENTS } from '@salus/kernel/scope'
import Type from 'typebox'
import { settingFields, TeamEnvironment } from './environment-settings.schema.ts'

export const REGIONS = ['us', 'eu'] as const
export type Region = (typeof REGIONS)[number]

const NAME_PATTERN = "^[\\p{L}\\p{N}(),/:'|&_\\-’ .]+$"

/** Name of an organization or a team (docs/contract/01-conventions.md#management-api). */
export const Name = Type.String({ minLength: 1, maxLength: 80, pattern: NAME_PATTERN })

const NO_EXTRA_KEYS = { additionalProperties: false }
const PartialTeamEnvironment = Type.Object(
  {
    ...Type.Partial(Type.Object(settingFields)).properties,
    patient_experience: Type.Optional(Type.Boolean()),
  },
  NO_EXTRA_KEYS,
)

const IntegrationTeamId = Type.String({ minLength: 1, maxLength: 256 })

const SecondFactorRequired = {
  description:
    'Whether users who sign in with a password need a second factor. Before they have one, their sessions only set it up.',
}

export const Organization = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    expires_at: Nullable(DateTime),
    second_factor_required: Type.Boolean(SecondFactorRequired),
  },
  { title: 'Organization' },
)
export type Organization = Type.Static<typeof Organization>
export const OrganizationUpdate = Type.Object(
  {
    name: Type.Optional(Name),
    second_factor_required: Type.Optional(Type.Boolean(SecondFactorRequired)),
  },
  { minProperties: 1 },
)
export type OrganizationUpdate = Type.Static<typeof OrganizationUpdate>

export const Team = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    created_on: DateTime,
    region: TextEnum(REGIONS),
    integration_team_id: Nullable(Type.String()),
    environments: Type.Array(TextEnum(ENVIRONMENTS)),
    sandbox: Nullable(TeamEnvironment),
    production: Nullable(TeamEnvironment),
  },
  { title: 'Team' },
)
export type Team = Type.Static<typeof Team>

export const TeamCreate = Type.Object(
  {
    name: Name,
    region: TextEnum(REGIONS),
    id: Type.Optional(Uuid),
    integration_team_id: Type.Optional(Nullable(IntegrationTeamId)),
    ...Type.Partial(Type.Object(settingFields)).properties,
  },
  NO_EXTRA_KEYS,
)
export type TeamCreate = Type.Static<typeof TeamCreate>

export const TeamUpdate = Type.Object(
  {
    name: Type.Optional(Name),
    integration_team_id: Type.Optional(Nullable(IntegrationTeamId)),
    sandbox: Type.Optional(Nullable(PartialTeamEnvironment)),
    production: Type.Optional(Nullable(PartialTeamEnvironment)),
  },
  NO_EXTRA_KEYS,
)
export type TeamUpdate = Type.Static<typeof TeamUpdate>

export const TeamListQuery = Type.Object({
  team_id: Type.Optional(Uuid),
  region: Type.Optional(Type.Array(TextEnum(REGIONS))),
  search_query: Type.Optional(
    Type.String({ description: 'Part of the name, or the exact id or integration_team_id.' }),
  ),
  next_cursor: Type.Optional(Type.String()),
})
export type TeamListQuery = Type.Static<typeof TeamListQuery>

export const TeamQuery = Type.Object({
  include_environment: Type.Optional(Type.Array(TextEnum(ENVIRONMENTS))),
})

export const TeamList = Type.Object({
  teams: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      created_on: DateTime,
      region: TextEnum(REGIONS),
      integration_team_id: Nullable(Type.String()),
    }),
  ),
  next_cursor: Nullable(Type.String()),
})

export type TeamList = Type.Static<typeof TeamList>

export const ResolveTeam = Type.Object({ integration_team_id: IntegrationTeamId })

const DELEGATED_FLOWS = [
  'order_and_results_with_customer_physician_network',
  'order_with_vital_physician_network',
  'order_and_results_with_vital_physician_network',
] as const

const TeamConfig = Type.Object({
  libreview: Type.Object({
    practice_id: Type.Record(Type.String(), Type.Unknown()),
    strip_tz: Type.Boolean(),
  }),
  texts_enabled: Type.Boolean(),
  push_historical_data: Type.Boolean(),
  provider_raw_data: Type.Boolean(),
  reject_duplicate_connection: Type.Boolean(),
  sdk_per_device_activity_timeseries: Type.Boolean(),
  partial_webhooks_enabled: Type.Boolean(),
  minor_ordering_enabled: Type.Boolean(),
  eds_preferences: Nullable(Type.Object({}, { additionalProperties: true })),
  event_type_prefixes: Nullable(Type.Array(Type.String())),
})

const AlwaysNull = Nullable(
  Type.String({ description: 'Legacy field, which is always null.', deprecated: true }),
)

/** A team as its own key sees it (docs/contract/01-conventions.md#team-endpoints). */
export const ClientFacingTeam = Type.Object(
  {
    id: Uuid,
    org_id: Uuid,
    name: Type.String(),
    svix_app_id: AlwaysNull,
    client_id: AlwaysNull,
    client_secret: AlwaysNull,
    airtable_api_key: AlwaysNull,
    airtable_base_id: AlwaysNull,
    webhook_secret: AlwaysNull,
    api_key: AlwaysNull,
    api_keys: Nullable(Type.Array(Type.Object({}, { additionalProperties: true }))),
    configuration: Nullable(TeamConfig),
    testkits_texts_enabled: Type.Boolean({ deprecated: true }),
    lab_tests_patient_communication_enabled: Type.Boolean(),
    lab_tests_patient_sms_communication_enabled: Type.Boolean(),
    lab_tests_patient_email_communication_enabled: Type.Boolean(),
    logo_url: Nullable(Type.String()),
    critical_result_notification_email: Nullable(Type.String()),
    delegated_flow: TextEnum(DELEGATED_FLOWS),
  },
  { title: 'ClientFacingTeam' },
)
export type ClientFacingTeam = Type.Static<typeof ClientFacingTeam>

/** docs/contract/01-conventions.md#get-v2teamsvixurl */
export const WebhookPortal = Type.Object(
  { url: Type.String({ description: 'URL of the pages of webhooks in the console.' }) },
  { title: 'WebhookPortal' },
)
