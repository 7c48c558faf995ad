import { DateTime, Nullable, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENT_PARAMS } from '@salus/kernel/http/environment-path'
import Type from 'typebox'

/** Legal holds (docs/contract/18-persons-rights.md#legal-hold). */

export const LegalHold = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    reason: Type.String(),
    placed_at: DateTime,
    placed_by: Nullable(Uuid),
    released_at: Nullable(DateTime),
    released_by: Nullable(Uuid),
  },
  { title: 'LegalHold' },
)
export type LegalHold = Type.Static<typeof LegalHold>

export const LegalHoldList = Type.Object(
  { data: Type.Array(LegalHold) },
  { title: 'LegalHoldList' },
)

export const LegalHoldCreate = Type.Object(
  {
    user_id: Uuid,
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'Reason for the hold; exports do not contain it.',
    }),
  },
  { title: 'LegalHoldCreate', additionalProperties: false },
)
export type LegalHoldCreate = Type.Static<typeof LegalHoldCreate>

export const LegalHoldQuery = Type.Object({
  user_id: Type.Optional(Uuid),
  is_active: Type.Optional(Type.Boolean()),
})
export type LegalHoldQuery = Type.Static<typeof LegalHoldQuery>

export const ByLegalHold = Type.Object({ ...ENVIRONMENT_PARAMS, hold_id: Uuid })
