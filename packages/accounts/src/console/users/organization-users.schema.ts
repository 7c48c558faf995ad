import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { Environments, ROLES, TeamRoleBindings } from '../../teams/index.ts'
import { RegistrationResponse } from '../factors/web-authentication.schema.ts'

const USER_STATUSES = ['invited', 'active', 'suspended'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

const MOST_EMAIL = 254
/** An e-mail address; case does not count. */
export const Email = Type.String({ format: 'email', maxLength: MOST_EMAIL })
const UserName = Type.String({ minLength: 1, maxLength: 80 })

export const OrganizationUser = Type.Object(
  {
    id: Uuid,
    email: Type.String({ description: 'E-mail address in lower case.' }),
    name: Type.String(),
    status: TextEnum(USER_STATUSES, {
      description:
        'An invited user has not used the invitation yet; a suspended one cannot sign in.',
    }),
    role: TextEnum(ROLES),
    team_role_bindings: TeamRoleBindings,
    environments: Environments,
    has_password: Type.Boolean(),
    has_totp: Type.Boolean({ description: 'Whether codes of an authenticator app are required.' }),
    passkeys: Type.Integer({ description: 'Number of passkeys.' }),
    management_key_id: Type.Unsafe<string>({
      ...Uuid,
      description: 'Id under which the audit log and the sessions name the user.',
    }),
    created_at: DateTime,
    last_sign_in_at: Nullable(DateTime),
    invitation_expires_at: Nullable({
      ...DateTime,
      description: 'End of the open invitation; null without one.',
    }),
  },
  { title: 'OrganizationUser' },
)
export type OrganizationUser = Type.Static<typeof OrganizationUser>

export const OrganizationUserList = Type.Object({
  data: Type.Array(OrganizationUser),
  next_cursor: Nullable(Type.String()),
})
export type OrganizationUserList = Type.Static<typeof OrganizationUserList>

export const OrganizationUserListQuery = Type.Object({
  email: Type.Optional(Email),
  next_cursor: Type.Optional(Type.String()),
})
export type OrganizationUserListQuery = Type.Static<typeof OrganizationUserListQuery>

export const OrganizationUserInvite = Type.Object(
  {
    email: Email,
    name: UserName,
    role: TextEnum(ROLES),
    team_role_bindings: Type.Optional(TeamRoleBindings),
    environments: Type.Optional(Environments),
  },
  { title: 'OrganizationUserInvite' },
)
export type OrganizationUserInvite = Type.Static<typeof OrganizationUserInvite>

export const OrganizationUserUpdate = Type.Object(
  {
    name: Type.Optional(UserName),
    role: Type.Optional(TextEnum(ROLES)),
    team_role_bindings: Type.Optional(TeamRoleBindings),
    environments: Type.Optional(Environments),
    status: Type.Optional(
      TextEnum(['active', 'suspended'], {
        description:
          'A suspended user cannot sign in and has no sessions. An active one can sign in again; who never accepted an invitation is invited again.',
      }),
    ),
  },
  { title: 'OrganizationUserUpdate', minProperties: 1 },
)
export type OrganizationUserUpdate = Type.Static<typeof OrganizationUserUpdate>

export const Invitation = Type.Object(
  {
    user: OrganizationUser,
    url: Type.String({
      description:
        'Address at which the user accepts the invitation, once. Only this answer contains it.',
    }),
    expires_at: DateTime,
  },
  { title: 'OrganizationInvitation' },
)
export type Invitation = Type.Static<typeof Invitation>

const Code = Type.String({ minLength: 1, maxLength: 200, description: 'Code of the invitation.' })

export const InvitationCode = Type.Object({ code: Code })

/** Whom an invitation is for, as its page shows it. */
export const InvitationDetails = Type.Object(
  {
    email: Type.String(),
    name: Type.String(),
    organization: Type.Object({ id: Uuid, name: Type.String() }),
    expires_at: DateTime,
    is_new: Type.Boolean({
      description: 'Whether the user is new; else the invitation sets a new password.',
    }),
  },
  { title: 'InvitationDetails' },
)
export type InvitationDetails = Type.Static<typeof InvitationDetails>

export const Password = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'At least 12 characters that are hard to guess.',
})

export const InvitationAcceptance = Type.Object({ code: Code, password: Password })

export const InvitationPasskey = Type.Object({
  code: Code,
  name: Type.String({ minLength: 1, maxLength: 80, description: 'Name of the passkey.' }),
  response: RegistrationResponse,
})
