import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { ShownUnits } from '../teams/index.ts'
import type { ConnectionSchemas } from './connections-of-users.ts'
import type { UserOf } from './users.schema.ts'

/** Terms by which users are found (docs/contract/02-users.md#post-v2usersearch). */
export const UserSearchOf = ({ provider, status }: ConnectionSchemas) =>
  Type.Object(
    {
      query: Type.Optional(
        Nullable(
          Type.String({
            maxLength: 200,
            description:
              'Parts of a client user id, a name or an e-mail address, in any order and case, or the beginning of a user id. Without it all users match.',
          }),
        ),
      ),
      provider: Type.Optional(Nullable(provider)),
      connection_status: Type.Optional(Nullable(status)),
      limit: Type.Integer({ default: 50, minimum: 1, maximum: 200 }),
      next_cursor: Type.Optional(Nullable(Type.String())),
    },
    { title: 'UserSearch' },
  )
export type UserSearch = Type.Static<ReturnType<typeof UserSearchOf>>

const FoundUserOf = (user: ReturnType<typeof UserOf>, connections: ConnectionSchemas) =>
  Type.Object(
    {
      ...user.properties,
      first_name: Nullable(Type.String()),
      last_name: Nullable(Type.String()),
      email: Nullable(Type.String()),
      name_from: Nullable(
        TextEnum(['demographics', 'order'], {
          description: 'Record that the name and the e-mail address come from.',
        }),
      ),
      connections: connections.foundConnections,
      shown_units: ShownUnits,
    },
    { title: 'FoundUser' },
  )
export type FoundUser = Type.Static<ReturnType<typeof FoundUserOf>>

export const FoundUsersOf = (user: ReturnType<typeof UserOf>, connections: ConnectionSchemas) =>
  Type.Object(
    {
      users: Type.Array(FoundUserOf(user, connections)),
      total: Type.Integer({
        description: 'Number of users who match; with a query the count stops at 10,000.',
      }),
      next_cursor: Nullable(Type.String()),
    },
    { title: 'FoundUsers' },
  )
export type FoundUsers = Type.Static<ReturnType<typeof FoundUsersOf>>
