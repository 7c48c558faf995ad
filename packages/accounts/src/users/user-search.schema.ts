import { PROVIDER_SLUGS, ProviderRef } from '@salus/contracts/providers'
import { DateTime, Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { User } from './users.schema.ts'

const STATES = ['connected', 'error', 'paused'] as const
const ConnectionState = TextEnum(STATES)

/** What people are found by (docs/contract/02-users.md#post-v2usersearch). */
export const UserSearch = Type.Object(
  {
    query: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 200,
          description:
            'Parts of a client user id, a name or an e-mail address, in any order and case, or the beginning of a user id. Nothing: everybody.',
        }),
      ),
    ),
    provider: Type.Optional(
      Nullable(TextEnum(PROVIDER_SLUGS, { description: 'Only people with a connection to it.' })),
    ),
    connection_status: Type.Optional(
      Nullable(TextEnum(STATES, { description: 'Only people with a connection in that state.' })),
    ),
    limit: Type.Integer({ default: 50, minimum: 1, maximum: 200 }),
    next_cursor: Type.Optional(Nullable(Type.String())),
  },
  { title: 'UserSearch' },
)
export type UserSearch = Type.Static<typeof UserSearch>

const FoundUser = Type.Object(
  {
    ...User.properties,
    first_name: Nullable(Type.String()),
    last_name: Nullable(Type.String()),
    email: Nullable(Type.String()),
    name_from: Nullable(
      TextEnum(['demographics', 'order'], { description: 'Where name and e-mail address stand.' }),
    ),
    connections: Type.Array(
      Type.Object({ provider: ProviderRef, status: ConnectionState, created_on: DateTime }),
    ),
  },
  { title: 'FoundUser' },
)
export type FoundUser = Type.Static<typeof FoundUser>

export const FoundUsers = Type.Object(
  {
    users: Type.Array(FoundUser),
    total: Type.Integer({
      description: 'How many people match; of a query not more than 10,000 are counted.',
    }),
    next_cursor: Nullable(Type.String()),
  },
  { title: 'FoundUsers' },
)
export type FoundUsers = Type.Static<typeof FoundUsers>
