import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { PERMISSIONS } from '@salus/kernel/http/permissions'
import { ENVIRONMENTS } from '@salus/kernel/scope'
import Type from 'typebox'
import { ROLES } from '../teams/index.ts'
import { AuthenticationResponse } from './factors/web-authentication.schema.ts'
import { Email, Password } from './users/organization-users.schema.ts'

const SIGN_IN_WAYS = ['management_key', 'code', 'openid_connect', 'password', 'passkey'] as const
export type SignInWay = (typeof SIGN_IN_WAYS)[number]

const Secret = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

/** Exactly one of management_key, code, password and passkey is required. */
export const ConsoleSignIn = Type.Object(
  {
    management_key: Type.Optional(Secret('Management key with any role.')),
    code: Type.Optional(
      Secret('One-time code that the server prints at its start, or that `salus console` prints.'),
    ),
    email: Type.Optional(Email),
    password: Type.Optional(Password),
    second_factor_code: Type.Optional(
      Type.String({
        minLength: 6,
        maxLength: 40,
        description: 'Code of the authenticator app, or a recovery code, of a user who needs one.',
      }),
    ),
    organization_id: Type.Optional({
      ...Uuid,
      description: 'Organization, where the password is right for users of several ones.',
    }),
    passkey: Type.Optional(AuthenticationResponse),
  },
  { title: 'ConsoleSignIn' },
)
export type ConsoleSignIn = Type.Static<typeof ConsoleSignIn>

/** Session of the signed-in user, with its rights and its end. */
export const ConsoleSession = Type.Object(
  {
    id: Uuid,
    signed_in_with: TextEnum(SIGN_IN_WAYS),
    created_at: DateTime,
    expires_at: Type.Unsafe<string>({
      ...DateTime,
      description: 'Time at which the session ends at the latest.',
    }),
    idle_expires_at: Type.Unsafe<string>({
      ...DateTime,
      description: 'Time at which the session ends unless it is used before.',
    }),
    key: Type.Object(
      { id: Uuid, label: Type.String(), role: TextEnum(ROLES) },
      { description: 'Management key that the session acts as.' },
    ),
    user: Nullable(
      Type.Object(
        { id: Uuid, email: Type.String(), name: Type.String() },
        { description: 'User of the organization who is signed in; null for a key.' },
      ),
    ),
    second_factor_setup_required: Type.Boolean({
      description:
        'Whether the session can only set up the second factor that the organization requires.',
    }),
    organization: Type.Object({ id: Uuid, name: Type.String() }),
    team_ids: Nullable(
      Type.Array(Uuid, {
        description: 'Ids of the teams that the session may use; null means every team.',
      }),
    ),
    environments: Nullable(
      Type.Array(TextEnum(ENVIRONMENTS), {
        description: 'Environments that the session may use; null means both.',
      }),
    ),
    permissions: Type.Array(TextEnum(PERMISSIONS), {
      description: 'Permissions of the role.',
    }),
    is_operator: Type.Boolean({
      description: 'Whether the session may see and change data of the whole installation.',
    }),
    is_empty: Type.Boolean({ description: 'Whether none of these teams has a user yet.' }),
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
        is_current: Type.Boolean({
          description: 'Whether this is the session that sent the request.',
        }),
      },
      { title: 'ListedConsoleSession' },
    ),
  ),
})
export type ConsoleSessionList = Type.Static<typeof ConsoleSessionList>

export const EndedSessions = Type.Object({
  ended: Type.Integer({ description: 'Number of sessions that were ended.' }),
})

export const SignInMethods = Type.Object({
  openid_connect: Nullable(
    Type.Object(
      { name: Type.String({ description: 'Display name of the identity provider.' }) },
      { description: 'Identity provider; null when none is configured.' },
    ),
  ),
  has_users: Type.Boolean({
    description: 'Whether users sign in with a password or a passkey.',
  }),
  is_signed_in: Type.Boolean({
    description:
      'Whether the cookie of the request belongs to a session. A page that reads this need not request a session that does not exist.',
  }),
})
