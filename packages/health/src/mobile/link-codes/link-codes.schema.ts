import { DateTime, DateTimeInput, Nullable, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

export const LinkCodeQuery = Type.Object({
  user_id: Uuid,
  expires_at: Type.Optional(Nullable(DateTimeInput)),
})
export type LinkCodeQuery = Type.Static<typeof LinkCodeQuery>

export const LinkCode = Type.Object(
  { code: Type.String(), exchange_url: Type.String(), expires_at: DateTime },
  { title: 'LinkCode' },
)
export type LinkCode = Type.Static<typeof LinkCode>

export const LinkCodeExchangeQuery = Type.Object({
  code: Type.String({ maxLength: 100 }),
  grant_type: Type.Optional(Type.String({ maxLength: 100 })),
})
export type LinkCodeExchangeQuery = Type.Static<typeof LinkCodeExchangeQuery>

export const LinkCodeExchange = Type.Object(
  {
    user_id: Uuid,
    sign_in_token: Type.String(),
    team: Type.Object({ name: Type.String(), logo_url: Nullable(Type.String()) }),
  },
  { title: 'LinkCodeExchange' },
)
export type LinkCodeExchange = Type.Static<typeof LinkCodeExchange>
