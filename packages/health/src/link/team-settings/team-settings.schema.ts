import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { OAuthProvider } from '../link.schema.ts'

/** docs/contract/01-conventions.md#team-settings */
export const SCOPED_PROVIDERS = [
  'fitbit',
  'google_fit',
  'google_health',
  'oura',
  'strava',
  'withings',
  'wahoo',
  'whoop_v2',
  'my_fitness_pal_v2',
] as const

const Scopes = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^\\S+$' }), {
  maxItems: 100,
})
const ScopeLists = { user_must_grant: Scopes, user_may_grant: Scopes }

export const ScopeRequirementQuery = Type.Object({
  provider: Type.Optional(Nullable(TextEnum(SCOPED_PROVIDERS))),
})

export const ScopeRequirements = Type.Object(
  {
    requirements: Type.Array(
      Type.Object({ ...ScopeLists, team_id: Uuid, provider: Type.String() }),
    ),
  },
  { title: 'ScopeRequirements' },
)
export type ScopeRequirements = Type.Static<typeof ScopeRequirements>

const ScopeRequirement = Type.Optional(Nullable(Type.Object(ScopeLists)))
export const ScopeRequirementUpdate = Type.Object(
  {
    fitbit: ScopeRequirement,
    google_fit: ScopeRequirement,
    google_health: ScopeRequirement,
    oura: ScopeRequirement,
    strava: ScopeRequirement,
    withings: ScopeRequirement,
    wahoo: ScopeRequirement,
    whoop_v2: ScopeRequirement,
    my_fitness_pal_v2: ScopeRequirement,
  } satisfies Record<(typeof SCOPED_PROVIDERS)[number], typeof ScopeRequirement>,
  { title: 'ScopeRequirementUpdate', additionalProperties: false },
)
export type ScopeRequirementUpdate = Type.Static<typeof ScopeRequirementUpdate>

const Details = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 50 })

export const CustomCredential = Type.Object(
  {
    id: Uuid,
    client_id: Nullable(Type.String()),
    client_secret_hash: Nullable(
      Type.String({ description: 'SHA-256 hash of the secret in hexadecimal.' }),
    ),
    source: Type.String({ description: 'Provider slug.' }),
    team_id: Uuid,
    created_at: DateTime,
    updated_at: DateTime,
    details: Nullable(Details),
    app_url: Nullable(Type.String({ description: 'Always null.' })),
    redirect_url_override: Nullable(Type.String()),
  },
  { title: 'TeamCustomCredential' },
)
export type CustomCredential = Type.Static<typeof CustomCredential>

export const CustomCredentialQuery = Type.Object({
  team_id: Type.Optional(Uuid),
  provider: Type.Optional(OAuthProvider),
  next_cursor: Type.Optional(Type.String()),
})
export type CustomCredentialQuery = Type.Static<typeof CustomCredentialQuery>

export const CustomCredentialList = Type.Object({
  credentials: Type.Array(CustomCredential),
  next_cursor: Nullable(Type.String()),
})
export type CustomCredentialList = Type.Static<typeof CustomCredentialList>

const Text = Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2083 })))
export const CustomCredentialUpdate = Type.Object(
  {
    team_id: Uuid,
    provider: OAuthProvider,
    client_id: Text,
    client_secret: Text,
    secrets: Type.Optional(
      Nullable(
        Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 2083 }), {
          maxProperties: 20,
          description:
            'Further secrets that the provider gives an app, by the names in the list of providers. They replace earlier ones and are never returned.',
        }),
      ),
    ),
    details: Type.Optional(Nullable(Details)),
    redirect_url_override: Text,
  },
  { title: 'TeamCustomCredentialUpdate' },
)
export type CustomCredentialUpdate = Type.Static<typeof CustomCredentialUpdate>

export const CustomCredentialRemoval = Type.Object({
  credential_id: Type.Array(Uuid, { minItems: 1, maxItems: 100 }),
})

export const Preparation = Type.Object({ team_id: Uuid, provider: OAuthProvider })
export const Preparations = Type.Object(
  {
    status: TextEnum(['no_action_needed', 'preparations_required']),
    preparation_steps: Type.Array(
      Type.Object({
        type: TextEnum(['redirect_uri', 'webhook_uri', 'iam_principal']),
        key: Type.String(),
        value: Type.String(),
        description: Type.String(),
      }),
    ),
  },
  { title: 'CredentialPreparations' },
)
export type Preparations = Type.Static<typeof Preparations>
