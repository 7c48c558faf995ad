import Type from 'typebox'
import { DateOnly, Nullable, TextEnum } from '../../../platform/http/schema-types.ts'
import { Count, identity, provenance } from './summary-fields.schema.ts'

export const GENDERS = ['female', 'male', 'other', 'unknown'] as const
export const SEXES = ['female', 'male', 'other'] as const

/** What a provider knows of the person (contract 06, section 10). */
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
