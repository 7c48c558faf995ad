import { DateOnly, Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { Count, identity, provenance, type SummaryColumns } from '../summary-fields.schema.ts'
import { object } from '../upload-fields.schema.ts'

export const GENDERS = ['female', 'male', 'other', 'unknown'] as const
export const SEXES = ['female', 'male', 'other'] as const

/** A provider's profile of the user (docs/contract/06-summaries.md#profile). */
export const Profile = Type.Object(
  {
    ...identity,
    height: Count('cm'),
    birth_date: Nullable(DateOnly),
    wheelchair_use: Nullable(Type.Boolean({ description: 'true or null, never false.' })),
    gender: Nullable(TextEnum(GENDERS)),
    sex: Nullable(TextEnum(SEXES)),
    ...provenance,
  },
  { title: 'Profile' },
)
export type Profile = Type.Static<typeof Profile>

/** Columns of the resource, in the order of the table. */
export const PROFILE_COLUMNS = {
  height_centimeter: 'integer',
  birth_date: 'date',
  wheelchair_use: 'boolean',
  gender: 'text',
  sex: 'text',
} as const satisfies SummaryColumns

/** One object, whose fields are documented here and checked in the service. */
export const ProfileUpload = object('ProfileUploadData', {
  biological_sex: Type.Optional(
    Type.Unknown({ description: 'Gender: male, female, other or not_set.' }),
  ),
  date_of_birth: Type.Optional(Type.Unknown({ description: 'Date or date-time.' })),
  height: Type.Optional(Type.Unknown({ description: 'cm' })),
  time_zone: Type.Optional(Type.Unknown({ description: 'IANA time zone.' })),
  wheelchair_use: Type.Optional(Type.Unknown({ description: 'true or false.' })),
})
