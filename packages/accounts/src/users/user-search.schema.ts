import { DateOrDateTime, DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { ShownUnits } from '../teams/index.ts'
import type { ConnectionSchemas } from './connections-of-users.ts'
import type { UserOf } from './users.schema.ts'

const USER_ORDER_KEYS = ['created_at', 'name', 'newest_data', 'attention'] as const
export type UserOrderKey = (typeof USER_ORDER_KEYS)[number]
const ORDER_DIRECTIONS = ['asc', 'desc'] as const
/** Users whose ids a request may name. */
const MOST_IDS = 200
const MOST_DAYS = 3_650
const Days = (description: string) =>
  Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: MOST_DAYS, description })))

/** Filters and order of the list of users, without what names people. */
const userFiltersOf = ({ provider, status }: ConnectionSchemas) => ({
  provider: Type.Optional(Nullable(provider)),
  connection_status: Type.Optional(Nullable(status)),
  data_within_days: Days('Returns only users with data that were measured in so many days.'),
  no_data_within_days: Days('Returns only users without data that were measured in so many days.'),
  needs_attention: Type.Optional(
    Nullable(
      Type.Boolean({
        description: 'Whether the user has a connection with an error, or an open task.',
      }),
    ),
  ),
  has_open_orders: Type.Optional(
    Nullable(Type.Boolean({ description: 'Whether the user has an order that is not over.' })),
  ),
  start_date: Type.Optional(Nullable(DateOrDateTime)),
  end_date: Type.Optional(Nullable(DateOrDateTime)),
  order_key: Type.Optional(
    Nullable(
      TextEnum(USER_ORDER_KEYS, {
        description:
          'Order of the list: by creation, by the shown name or client user id, by the time of the newest data, or by the number of connections with an error and open tasks. By default `created_at`.',
      }),
    ),
  ),
  order_direction: Type.Optional(
    Nullable(
      TextEnum(ORDER_DIRECTIONS, {
        description: 'Direction of the order. By default `asc` for names, else `desc`.',
      }),
    ),
  ),
})

/** Filters and order of the list of users in a saved view. */
export const peopleFiltersOf = (connections: ConnectionSchemas) =>
  Type.Object(userFiltersOf(connections), { title: 'PeopleFilters', additionalProperties: false })

/** Terms by which users are found (docs/contract/02-users.md#post-v2usersearch). */
export const UserSearchOf = (connections: ConnectionSchemas) =>
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
      user_ids: Type.Optional(
        Nullable(
          Type.Array(Uuid, {
            maxItems: MOST_IDS,
            description: 'Ids of the only users that are returned.',
          }),
        ),
      ),
      ...userFiltersOf(connections),
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
      newest_data: Nullable(
        Type.Object(
          { at: DateTime, resource: Type.String() },
          {
            description: 'Minute in which the newest data were measured, and of what they are.',
          },
        ),
      ),
      attention: Type.Object({
        failed_connections: Type.Integer({ description: 'Number of connections with an error.' }),
        open_tasks: Type.Integer({ description: 'Number of tasks that have not ended.' }),
      }),
      open_orders: Type.Integer({ description: 'Number of orders that are not over.' }),
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

/** Terms of a search whose results are written into a file. */
export const UserExportOf = (connections: ConnectionSchemas) =>
  Type.Object(Type.Omit(UserSearchOf(connections), ['limit', 'next_cursor']).properties, {
    title: 'UserExport',
  })
