import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { ROLES } from '../teams/index.ts'

const SIGN_IN_WAYS = ['management_key', 'code', 'openid_connect'] as const
export type SignInWay = (typeof SIGN_IN_WAYS)[number]

const Secret = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

/** Exactly one of the two. */
export const ConsoleSignIn = Type.Object({
  management_key: Type.Optional(Secret('A management key, of either role.')),
  code: Type.Optional(Secret('A one-time code, as the start and `salus console` print it.')),
})
export type ConsoleSignIn = Type.Static<typeof ConsoleSignIn>

/** Who is signed in, as what, and until when. */
export const ConsoleSession = Type.Object(
  {
    id: Uuid,
    signed_in_with: TextEnum(SIGN_IN_WAYS),
    created_at: DateTime,
    expires_at: Type.Unsafe<string>({
      ...DateTime,
      description: 'When the session ends at the latest.',
    }),
    idle_expires_at: Type.Unsafe<string>({
      ...DateTime,
      description: 'When it ends unless it is used before.',
    }),
    key: Type.Object(
      { id: Uuid, label: Type.String(), role: TextEnum(ROLES) },
      { description: 'The management key that the session acts as.' },
    ),
    organization: Type.Object({ id: Uuid, name: Type.String() }),
    team_ids: Nullable(Type.Array(Uuid, { description: 'Null is every team.' })),
    is_operator: Type.Boolean({
      description: 'Whether the session may see and change what is the installation’s.',
    }),
    is_empty: Type.Boolean({ description: 'None of these teams has a person yet.' }),
  },
  { title: 'ConsoleSession' },
)
export type ConsoleSession = Type.Static<typeof ConsoleSession>

export const ConsoleSessionList = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        id: Uuid,
        key: Type.Object({ id: Uuid, label: Type.String(), role: TextEnum(ROLES) }),
        signed_in_with: TextEnum(SIGN_IN_WAYS),
        created_at: DateTime,
        last_used_at: DateTime,
        expires_at: DateTime,
        is_current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
      },
      { title: 'ListedConsoleSession' },
    ),
  ),
})
export type ConsoleSessionList = Type.Static<typeof ConsoleSessionList>

export const EndedSessions = Type.Object({
  ended: Type.Integer({ description: 'How many sessions were ended.' }),
})

export const SignInMethods = Type.Object({
  openid_connect: Nullable(
    Type.Object(
      { name: Type.String({ description: 'What people call the identity provider.' }) },
      { description: 'Null without one.' },
    ),
  ),
  is_signed_in: Type.Boolean({
    description:
      'Whether the cookie of the request is that of a session, so that a page need not ask for one that is not there.',
  }),
})
