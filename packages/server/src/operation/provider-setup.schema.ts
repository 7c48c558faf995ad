import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import { PROVIDER_STATES, type ProviderState } from '@salus/health/connectors'
import Type from 'typebox'

/** What connecting a provider needs (docs/contract/01-conventions.md#operation). */

const States = Object.keys(PROVIDER_STATES) as ProviderState[]
const Setup = {
  provider: Type.String(),
  provider_name: Type.String({ description: 'Display name of the provider.', examples: ['Oura'] }),
  auth_type: Type.String(),
  state: TextEnum(States, {
    description: 'State of the connector: how far it was verified, or why there is none.',
  }),
  reason: Nullable(
    Type.String({
      description: 'Reason for which production cannot connect users; null where it can.',
    }),
  ),
  app: TextEnum(['not_needed', 'missing', 'configured'], {
    description: 'Whether the operator configured an app of the provider.',
  }),
  team_apps: Type.Integer({ description: 'Number of teams with an app of their own.' }),
  resources: Type.Array(Type.String()),
}

export const ProviderSetupList = Type.Object(
  { data: Type.Array(Type.Object(Setup, { title: 'ProviderSetup' })) },
  { title: 'ProviderSetupList' },
)
export type ProviderSetupList = Type.Static<typeof ProviderSetupList>
export type ProviderSetup = ProviderSetupList['data'][number]

const Check = Type.Object(
  {
    state: TextEnum(['ok', 'problem', 'skipped']),
    message: Type.String(),
    advice: Nullable(
      Type.String({ description: 'Remedy of the problem; null where there is none.' }),
    ),
  },
  { title: 'ProviderCheck' },
)
export type ProviderCheck = Type.Static<typeof Check>

const Texts = Type.Array(Type.String())

export const ProviderSetupDetails = Type.Object(
  {
    ...Setup,
    checks: Type.Array(Check),
    redirect_url: Nullable(
      Type.String({ description: 'Address to register as the redirect address of the app.' }),
    ),
    push_url: Nullable(
      Type.String({ description: 'Address to which the provider sends its messages.' }),
    ),
    push_is_subscribed: Type.Boolean({
      description: 'Whether Salus itself enters `push_url` at the provider.',
    }),
    app_secrets: Type.Array(
      Type.Object({
        name: Type.String(),
        meaning: Type.String(),
        is_required: Type.Boolean(),
        is_set: Type.Boolean(),
      }),
      { description: 'Secrets of the app beside its id and secret.' },
    ),
    app_settings: Type.Array(
      Type.Object({
        name: Type.String(),
        meaning: Type.String(),
        is_required: Type.Boolean(),
        is_set: Type.Boolean(),
        default: Nullable(Type.String()),
      }),
      { description: 'Constants of the app of the vendor, for providers by password.' },
    ),
    scopes: Texts,
    regions: Texts,
    limits: Nullable(Type.String()),
    budgets: Type.Array(
      Type.Object({
        per: TextEnum(['address', 'app', 'connection']),
        requests: Type.Integer(),
        seconds: Type.Integer(),
      }),
    ),
    history_days: Type.Integer({ description: 'Days of history that a new connection pulls.' }),
    time_zones: Nullable(Type.String()),
    documentation: Nullable(Type.String()),
    registration: Type.Array(Type.String(), {
      description: 'Steps by which an operator registers an app with the provider.',
    }),
    notes: Texts,
  },
  { title: 'ProviderSetupDetails' },
)
export type ProviderSetupDetails = Type.Static<typeof ProviderSetupDetails>
