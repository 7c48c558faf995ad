import { Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

/** Longer than any token of Salus. */
const Token = Type.String({ maxLength: 8192 })

export const TokenBody = Type.Object(
  {
    grant_type: Type.String({
      maxLength: 100,
      description:
        'Type of the token in the request: `urn:ietf:params:oauth:grant-type:token-exchange` for a sign-in token, or `refresh_token`.',
    }),
    subject_token_type: Type.Optional(
      Type.String({ maxLength: 100, description: 'Token type. Always `urn:salus:sign-in-token`.' }),
    ),
    subject_token: Type.Optional(Token),
    refresh_token: Type.Optional(Token),
  },
  { title: 'TokenRequest' },
)
export type TokenBody = Type.Static<typeof TokenBody>

export const TokenPair = Type.Object(
  {
    access_token: Type.String(),
    refresh_token: Type.String(),
    expires_in: Type.Integer(),
  },
  { title: 'TokenPair' },
)
export type TokenPair = Type.Static<typeof TokenPair>

export const SignInToken = Type.Object(
  { user_id: Uuid, sign_in_token: Type.String() },
  { title: 'SignInToken' },
)
export type SignInToken = Type.Static<typeof SignInToken>

export const EndedMobileSessions = Type.Object(
  { ended: Type.Integer({ minimum: 0, description: 'Number of sessions that were ended.' }) },
  { title: 'EndedMobileSessions' },
)
