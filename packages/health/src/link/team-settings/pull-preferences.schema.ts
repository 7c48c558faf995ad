import { PROVIDERS } from '@salus/contracts/providers'
import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

/**
 * Maximum number of days of history that a team may want
 * (docs/contract/01-conventions.md#team-settings).
 */
export const MOST_HISTORICAL_DAYS = 365

/** Providers that Salus pulls. */
export const PULLED_PROVIDERS = PROVIDERS.filter(({ authType }) => authType !== 'sdk')

const WantedDays = Type.Object({
  historical_days_to_pull: Type.Integer({ minimum: 0, maximum: MOST_HISTORICAL_DAYS }),
})

const TeamIds = Type.Array(Uuid, { minItems: 1, maxItems: 100 })
const Providers = Type.Array(TextEnum(PULLED_PROVIDERS.map(({ slug }) => slug)), {
  minItems: 1,
  maxItems: 100,
})

export const PullPreferenceUpdate = Type.Object(
  {
    team_ids: TeamIds,
    providers: Type.Record(
      Type.String(),
      Type.Object({
        default: WantedDays,
        resource_overrides: Type.Optional(
          Nullable(Type.Record(Type.String(), WantedDays, { maxProperties: 100 })),
        ),
      }),
      { minProperties: 1, maxProperties: 100, description: 'Preferences by provider slug.' },
    ),
  },
  { title: 'DataPullPreferenceUpdate' },
)
export type PullPreferenceUpdate = Type.Static<typeof PullPreferenceUpdate>

export const PullPreferenceQuery = Type.Object({
  team_id: Type.Optional(TeamIds),
  provider: Type.Optional(Providers),
  next_cursor: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 5 })),
})
export type PullPreferenceQuery = Type.Static<typeof PullPreferenceQuery>

export const PullPreferenceRemoval = Type.Object({
  team_id: TeamIds,
  provider: Type.Optional(Providers),
})
export type PullPreferenceRemoval = Type.Static<typeof PullPreferenceRemoval>

const Days = Type.Object({
  historical_days_to_pull: Type.Integer(),
  historical_days_to_pull_limit: Type.Integer(),
})

const ProviderPreferences = Type.Object({
  default: Days,
  resource_overrides: Type.Record(Type.String(), Days),
})
export type ProviderPreferences = Type.Static<typeof ProviderPreferences>

export const PullPreferenceList = Type.Object(
  {
    data_pull_preferences: Type.Array(
      Type.Object({
        team_id: Uuid,
        providers: Type.Record(Type.String(), ProviderPreferences, {
          description:
            'Preferences by provider slug. Providers without a preference of the team are included with their defaults.',
        }),
      }),
    ),
    next_cursor: Nullable(Type.String()),
  },
  { title: 'DataPullPreferences' },
)
export type PullPreferenceList = Type.Static<typeof PullPreferenceList>
