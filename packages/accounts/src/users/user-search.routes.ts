import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { CSV_RESPONSE, type CsvColumns, sendCsv } from '@salus/kernel/http/csv'
import type { UserParts } from './user-parts.ts'
import { type FoundUser, FoundUsersOf, UserExportOf, UserSearchOf } from './user-search.schema.ts'
import { exportPeople, searchPeople } from './user-search.service.ts'
import type { UserOf } from './users.schema.ts'

const tags = ['Users']

interface SearchRoutesOptions {
  config: { baseUrl: string | undefined }
  userParts: UserParts
  User: ReturnType<typeof UserOf>
}

/** Registers the search of users, and the file of what it finds. */
export function registerUserSearchRoutes(
  app: App,
  { config, userParts, User }: SearchRoutesOptions,
): void {
  const { schemas } = userParts.connections
  app.post(
    '/v2/user/search',
    {
      config: { isRead: true },
      schema: {
        operationId: 'findUsers',
        tags,
        summary: 'Find users',
        description:
          'Returns users by parts of their client_user_id, name or e-mail address, and by their connections. The search terms are in the body, so that no log of addresses contains them.',
        body: UserSearchOf(schemas),
        'x-body-example': { query: 'moreau', connection_status: 'connected', limit: 50 },
        response: { 200: FoundUsersOf(User, schemas) },
      },
    },
    (request) =>
      searchPeople(request.scope, userParts, request.body, baseUrlOf(request, config.baseUrl)),
  )
  app.post(
    '/v2/user/search/export',
    {
      config: { isRead: true },
      schema: {
        operationId: 'exportUserList',
        tags,
        summary: 'Export a list of users',
        description:
          'Returns all users whom a search finds as a file, in the order of the list. The search terms are in the body.',
        body: UserExportOf(schemas),
        'x-body-example': { needs_attention: true, order_key: 'name' },
        response: CSV_RESPONSE,
      },
    },
    async (request, reply) => {
      const search = { ...request.body, limit: PAGE_SIZE }
      const baseUrl = baseUrlOf(request, config.baseUrl)
      const pages = await exportPeople(request.scope, userParts, search, baseUrl)
      return sendCsv(reply, 'people', COLUMNS, pages)
    },
  )
}

const PAGE_SIZE = 200

/** The parts of a connection that the file shows; the domain of connections has all of them. */
interface ShownConnection {
  provider: { slug: string }
  status: string
}

const COLUMNS: CsvColumns<FoundUser> = {
  user_id: (user) => user.user_id,
  client_user_id: (user) => user.client_user_id,
  first_name: (user) => user.first_name,
  last_name: (user) => user.last_name,
  email: (user) => user.email,
  created_on: (user) => user.created_on,
  newest_data_at: (user) => user.newest_data?.at ?? null,
  newest_data_resource: (user) => user.newest_data?.resource ?? null,
  connections: (user) =>
    (user.connections as ShownConnection[])
      .map(({ provider, status }) => `${provider.slug} ${status}`)
      .join('; '),
  failed_connections: (user) => user.attention.failed_connections,
  open_tasks: (user) => user.attention.open_tasks,
  open_orders: (user) => user.open_orders,
}
