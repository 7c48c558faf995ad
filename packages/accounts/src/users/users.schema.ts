import {
  DateOnly,
  DateTime,
  Nullable,
  TextEnum,
  TimeZoneId,
  Uuid,
} from '@salus/contracts/schema-types'
import Type, { type TSchema } from 'typebox'
import { UnitPreferences } from '../teams/index.ts'

export const FallbackTimeZone = Type.Object(
  {
    id: Type.String({ description: 'IANA time zone identifier.' }),
    source_slug: Type.String({
      description: 'Source of the time zone: `manual`, or the slug of a provider.',
    }),
    updated_at: DateTime,
  },
  { title: 'FallbackTimeZone' },
)

export const FallbackBirthDate = Type.Object(
  { value: DateOnly, source_slug: Type.String(), updated_at: DateTime },
  { title: 'FallbackBirthDate' },
)

/** @param connectedSources Schema of the connections that a user shows. */
export const UserOf = (connectedSources: TSchema) =>
  Type.Object(
    {
      user_id: Uuid,
      team_id: Uuid,
      client_user_id: Type.String(),
      created_on: DateTime,
      connected_sources: connectedSources,
      fallback_time_zone: Nullable(FallbackTimeZone),
      fallback_birth_date: Nullable(FallbackBirthDate),
      ingestion_start: Nullable(DateOnly),
      ingestion_end: Nullable(DateOnly),
      units: Nullable(UnitPreferences),
    },
    { title: 'User' },
  )
export type User = Type.Static<ReturnType<typeof UserOf>>

const ClientUserId = Type.String({
  description:
    'Id that the team gave the user, unique within the environment. It must not contain personal data.',
})

const settings = {
  fallback_time_zone: Type.Optional(Nullable(TimeZoneId)),
  fallback_birth_date: Type.Optional(Nullable(DateOnly)),
  ingestion_start: Type.Optional(Nullable(DateOnly)),
  ingestion_end: Type.Optional(Nullable(DateOnly)),
}

export const UserCreate = Type.Object(
  { client_user_id: ClientUserId, ...settings },
  { title: 'UserCreate' },
)
export type UserCreate = Type.Static<typeof UserCreate>

export const UserUpdate = Type.Object(
  {
    client_user_id: Type.Optional(Nullable(ClientUserId)),
    ...settings,
    units: Type.Optional(Nullable(UnitPreferences)),
  },
  { title: 'UserUpdate' },
)
export type UserUpdate = Type.Static<typeof UserUpdate>

export const UserListQuery = Type.Object({
  offset: Type.Integer({ default: 0, minimum: 0, maximum: 2 ** 31 - 1 }),
  limit: Type.Integer({ default: 100, minimum: 1, maximum: 500 }),
})
export type UserListQuery = Type.Static<typeof UserListQuery>

export const UserListOf = (user: ReturnType<typeof UserOf>) =>
  Type.Object(
    {
      users: Type.Array(user),
      total: Type.Integer(),
      offset: Type.Integer(),
      limit: Type.Integer(),
    },
    { title: 'UserList' },
  )

export const UserSearchQuery = Type.Object({
  query_id: Type.String({
    minLength: 2,
    description: 'Beginning of a user id, or part of a client user id.',
  }),
})

export const UndoDeleteQuery = Type.Object({
  user_id: Type.Optional(Uuid),
  client_user_id: Type.Optional(Type.String()),
})
export type UndoDeleteQuery = Type.Static<typeof UndoDeleteQuery>

export const UserMetrics = Type.Object(
  {
    team_id: Uuid,
    number_of_connected_sources: Type.Integer(),
    number_of_users: Type.Integer(),
    number_of_errored_connected_sources: Type.Integer(),
    number_of_ordered_tests: Type.Integer(),
    number_of_connected_sources_by_week: Type.Array(
      Type.Object({
        date: DateTime,
        value: Type.Integer({ description: 'Number of connections that were made in that week.' }),
        all: Type.Integer({
          description: 'Number of connections that were made until the end of that week.',
        }),
      }),
    ),
  },
  { title: 'UserMetrics' },
)

const Address = Type.Object({
  first_line: Type.String({ minLength: 1 }),
  second_line: Type.Optional(Nullable(Type.String({ default: '' }))),
  country: Type.String({ minLength: 1 }),
  zip: Type.String({ minLength: 1 }),
  city: Type.String({ minLength: 1 }),
  state: Type.String({ minLength: 1 }),
  access_notes: Type.Optional(Nullable(Type.String())),
})

/**
 * Names that laboratories accept: a letter or digit, then letters, digits and -.,' with single
 * blanks inside. Written so that it cannot backtrack at length
 * (docs/contract/11-orders.md#validation-rules-imposed-by-laboratories).
 */
const NAME_PATTERN = "^[A-Za-z0-9][A-Za-z0-9\\-.,']*(?: [A-Za-z0-9\\-.,']+)*$"
export const PersonName = Type.String({ minLength: 1, maxLength: 50, pattern: NAME_PATTERN })

const Guarantor = Type.Object({
  first_name: PersonName,
  last_name: PersonName,
  address: Type.Object({
    first_line: Type.String(),
    second_line: Type.Optional(Nullable(Type.String())),
    city: Type.String(),
    state: Type.String(),
    country: Type.String(),
    zip: Type.Optional(Type.String()),
    zip_code: Type.Optional(Type.String()),
    access_notes: Type.Optional(Nullable(Type.String())),
  }),
  phone_number: Type.String(),
  email: Type.Optional(Nullable(Type.String())),
  household_income: Type.Optional(Nullable(Type.Integer())),
  household_size: Type.Optional(Nullable(Type.Integer())),
})

export const RACES = [
  'african_american_or_black',
  'asian',
  'indigenous_native_american_alaska_native',
  'other',
  'pacific_islander_or_hawaiian',
  'white_caucasian',
] as const
export const ETHNICITIES = ['hispanic', 'non_hispanic', 'ashkenazi_jewish', 'other'] as const
export const SEXUAL_ORIENTATIONS = [
  'lesbian_gay_or_homosexual',
  'heterosexual_or_straight',
  'bisexual',
  'dont_know',
  'other',
] as const
export const GENDER_IDENTITIES = [
  'male',
  'female',
  'female_to_male_ftm_transgender_male_trans_man',
  'male_to_female_mtf_transgender_female_trans_woman',
  'genderqueer',
  'other',
] as const

/**
 * Demographics of a user, which laboratories require
 * (docs/contract/02-users.md#patch-v2useruser_idinfo).
 */
export const UserInfo = Type.Object(
  {
    first_name: PersonName,
    last_name: PersonName,
    email: Type.String({ format: 'email' }),
    phone_number: Type.String({ minLength: 1 }),
    gender: Type.String({ minLength: 1 }),
    dob: DateOnly,
    address: Address,
    medical_proxy: Type.Optional(Nullable(Guarantor)),
    race: Type.Optional(Nullable(TextEnum(RACES))),
    ethnicity: Type.Optional(Nullable(TextEnum(ETHNICITIES))),
    sexual_orientation: Type.Optional(Nullable(TextEnum(SEXUAL_ORIENTATIONS))),
    gender_identity: Type.Optional(Nullable(TextEnum(GENDER_IDENTITIES))),
  },
  { title: 'UserInfo' },
)
export type UserInfo = Type.Static<typeof UserInfo>
