import { DateTime, DateTimeInput, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { PERMISSIONS } from '@salus/kernel/http/permissions'
import { ENVIRONMENTS } from '@salus/kernel/scope'
import Type from 'typebox'
import { ROLES } from '../organization/roles.registry.ts'

const ACCESS = ['read', 'write'] as const
const Access = TextEnum(ACCESS)
export type CredentialAccess = Type.Static<typeof Access>

const SCOPES = {
  description:
    'Permissions, such as `orders:read`; one to write includes the one to read. Null means everything.',
}
const Scopes = Nullable(Type.Array(TextEnum(PERMISSIONS), SCOPES))

/** Limits of a new credential. */
const limitFields = {
  user_id: Type.Optional(
    Nullable({
      ...Uuid,
      description: 'Id of the only user to whom the access is limited; null means all users.',
    }),
  ),
  access: TextEnum(ACCESS, {
    default: 'write',
    description: 'Access level; `read` does not allow changes.',
  }),
  scopes: Type.Optional(
    Nullable(Type.Array(TextEnum(PERMISSIONS), { ...SCOPES, minItems: 1, maxItems: 50 })),
  ),
}

export const TeamApiKey = Type.Object(
  {
    id: Uuid,
    label: Type.String(),
    value: Type.String({
      description: 'Value of the key: complete in the answer to its creation, masked in lists.',
    }),
    team_id: Uuid,
    user_id: Nullable(Uuid),
    access: Access,
    scopes: Scopes,
    created_at: DateTime,
    expires_at: Nullable({
      ...DateTime,
      description: 'Time from which the key is refused; null means never.',
    }),
    last_used_at: Nullable({
      ...DateTime,
      description: 'Time of the last use, exact to the minute; null for a key that was never used.',
    }),
  },
  { title: 'TeamApiKey' },
)
export type TeamApiKey = Type.Static<typeof TeamApiKey>

/** Access that the credential of a request gives. */
export const CredentialReach = Type.Object(
  {
    team_id: Uuid,
    environment: TextEnum(ENVIRONMENTS),
    user_id: Nullable({
      ...Uuid,
      description: 'Id of the only user to whom the access is limited; null means all users.',
    }),
    access: Access,
    scopes: Scopes,
  },
  { title: 'CredentialReach' },
)

export const TeamApiKeyCreate = Type.Object({
  label: Type.String({ minLength: 1, maxLength: 80 }),
  team_id: Uuid,
  ...limitFields,
  expires_at: Type.Optional(
    Nullable({ ...DateTimeInput, description: 'Time at which the key expires; null means never.' }),
  ),
})
export type TeamApiKeyCreate = Type.Static<typeof TeamApiKeyCreate>

export const TeamApiKeyList = Type.Object({
  api_keys: Type.Array(TeamApiKey),
  next_cursor: Nullable(Type.String()),
})

export type TeamApiKeyList = Type.Static<typeof TeamApiKeyList>

export const DeletionReport = Type.Object({
  success: Type.Array(Uuid),
  failure: Type.Array(Uuid),
  not_found: Type.Array(Uuid),
})
export type DeletionReport = Type.Static<typeof DeletionReport>

export const TeamRoleBindings = Nullable(Type.Array(Type.Object({ team_id: Uuid })))

export const Environments = Nullable(
  Type.Array(TextEnum(ENVIRONMENTS), {
    minItems: 1,
    maxItems: 2,
    description: 'Environments to which the role is limited; null means both.',
  }),
)

const managementKeyFields = {
  id: Uuid,
  label: Type.String(),
  created_at: DateTime,
  creator: Type.Object({ type: Type.String() }, { additionalProperties: true }),
  role: TextEnum(ROLES),
  team_role_bindings: TeamRoleBindings,
  environments: Environments,
}

export const ManagementKey = Type.Object(managementKeyFields, { title: 'ManagementKey' })
export type ManagementKey = Type.Static<typeof ManagementKey>
export const NewManagementKey = Type.Object({ ...managementKeyFields, key: Type.String() })
export type NewManagementKey = Type.Static<typeof NewManagementKey>
export const ManagementKeyList = Type.Object({
  data: Type.Array(ManagementKey),
  next_cursor: Nullable(Type.String()),
})
export type ManagementKeyList = Type.Static<typeof ManagementKeyList>
export const ManagementKeyCreate = Type.Object({
  label: Type.String({ minLength: 1, maxLength: 80 }),
  role: TextEnum(ROLES),
  team_role_bindings: Type.Optional(TeamRoleBindings),
  environments: Type.Optional(Environments),
})
export type ManagementKeyCreate = Type.Static<typeof ManagementKeyCreate>
export const ManagementKeyListQuery = Type.Object({
  team_id: Type.Optional(Uuid),
  role: Type.Optional(TextEnum(ROLES)),
  next_cursor: Type.Optional(Type.String()),
})
export const ManagementKeyUpdate = Type.Object({
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  team_role_bindings: Type.Optional(TeamRoleBindings),
  environments: Type.Optional(Environments),
})
export type ManagementKeyUpdate = Type.Static<typeof ManagementKeyUpdate>

export const AccessTokenRequest = Type.Object({ env: TextEnum(ENVIRONMENTS), ...limitFields })
export type AccessTokenRequest = Type.Static<typeof AccessTokenRequest>
export const AccessToken = Type.Object({
  access_token: Type.String(),
  expires_in: Type.Integer({ description: 'Number of seconds until the token expires.' }),
})
export type AccessToken = Type.Static<typeof AccessToken>
