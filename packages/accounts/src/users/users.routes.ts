import { Success, Uuid } from '@salus/contracts/schema-types'
import { forbidden } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { getUserInfo, putUserInfo } from './user-info.service.ts'
import { getMetrics } from './user-metrics.service.ts'
import type { UserParts, UserViews } from './user-parts.ts'
import { FoundUsersOf, UserSearchOf } from './user-search.schema.ts'
import { searchPeople } from './user-search.service.ts'
import {
  PortalUrl,
  PortalUrlCreate,
  UndoDeleteQuery,
  UserCreate,
  UserInfo,
  UserListOf,
  UserListQuery,
  UserMetrics,
  UserOf,
  UserSearchQuery,
  UserUpdate,
} from './users.schema.ts'
import * as users from './users.service.ts'

/** What of the settings users are made and shown with. */
interface UserConfig {
  baseUrl: string | undefined
  sandboxUserLimit: number
}

const tags = ['Users']
const ByUserId = Type.Object({ user_id: Uuid })

interface UserRoutesOptions {
  config: UserConfig
  userParts: UserParts
}

/** With the schema of users, which is made once. */
interface UserRoutesContext extends UserRoutesOptions {
  User: ReturnType<typeof UserOf>
  /** How users are shown to whoever sent a request. */
  viewsFor(request: FastifyRequest): UserViews
}

/** People of a team: making, finding and changing them, deleting them and, for seven days, bringing them back. */
export function registerUserRoutes(app: App, options: UserRoutesOptions): void {
  const { config, userParts } = options
  const { connections } = userParts
  const context: UserRoutesContext = {
    ...options,
    User: UserOf(connections.schemas.connectedSources),
    viewsFor: (request) => ({ connections, baseUrl: baseUrlOf(request, config.baseUrl) }),
  }
  registerCreationRoutes(app, context)
  registerListRoutes(app, context)
  registerSearchRoute(app, context)
  registerSingleUserRoutes(app, context)
  registerUserInfoRoutes(app)
  registerPortalRoute(app)
}

function registerCreationRoutes(app: App, { config, userParts, User }: UserRoutesContext): void {
  app.post(
    '/v2/user',
    { schema: { tags, summary: 'Create a user', body: UserCreate, response: { 200: User } } },
    ({ scope, body }) => users.createUser(scope, body, config),
  )

  app.delete(
    '/v2/user/:user_id',
    { schema: { tags, summary: 'Delete a user', params: ByUserId, response: { 200: Success } } },
    async (request) => {
      await users.deleteUser(request.scope, userParts, request.params.user_id)
      return { success: true }
    },
  )

  app.post(
    '/v2/user/undo_delete',
    {
      schema: {
        tags,
        summary: 'Bring a deleted user back',
        description: 'Within seven days of the delete. Give exactly one of the two parameters.',
        querystring: UndoDeleteQuery,
        response: { 200: Success },
      },
    },
    async (request) => {
      await users.undoDelete(request.scope, userParts, request.query)
      return { success: true }
    },
  )
}

function registerListRoutes(app: App, { userParts, User, viewsFor }: UserRoutesContext): void {
  app.get(
    '/v2/user',
    {
      schema: {
        tags,
        summary: 'List users',
        querystring: UserListQuery,
        response: { 200: UserListOf(User) },
      },
    },
    (request) => users.listUsers(request.scope, request.query, viewsFor(request)),
  )

  app.get(
    '/v2/user/metrics',
    { schema: { tags, summary: 'Numbers of the team', response: { 200: UserMetrics } } },
    (request) => getMetrics(request.scope, userParts),
  )

  app.get(
    '/v2/team/users/search',
    {
      schema: {
        tags,
        summary: 'Search users',
        querystring: UserSearchQuery,
        response: { 200: Type.Array(User) },
      },
    },
    (request) => users.searchUsers(request.scope, request.query.query_id, viewsFor(request)),
  )
}

function registerSearchRoute(app: App, { config, userParts, User }: UserRoutesContext): void {
  const { schemas } = userParts.connections
  app.post(
    '/v2/user/search',
    {
      config: { isRead: true },
      schema: {
        tags,
        summary: 'Find people by what is known of them',
        body: UserSearchOf(schemas),
        response: { 200: FoundUsersOf(User, schemas) },
      },
    },
    (request) =>
      searchPeople(request.scope, userParts, request.body, baseUrlOf(request, config.baseUrl)),
  )
}

function registerSingleUserRoutes(
  app: App,
  { userParts, User, viewsFor }: UserRoutesContext,
): void {
  app.get(
    '/v2/user/:user_id',
    {
      config: { appAccess: 'path' },
      schema: { tags, summary: 'Read a user', params: ByUserId, response: { 200: User } },
    },
    (request) => users.getUser(request.scope, request.params.user_id, viewsFor(request)),
  )

  app.get(
    '/v2/user/resolve/:client_user_id',
    {
      schema: {
        tags,
        summary: 'Find a user by client_user_id',
        params: Type.Object({ client_user_id: Type.String() }),
        response: { 200: User },
      },
    },
    (request) => users.resolveUser(request.scope, request.params.client_user_id, viewsFor(request)),
  )

  app.patch(
    '/v2/user/:user_id',
    {
      schema: {
        tags,
        summary: 'Change a user',
        params: ByUserId,
        body: UserUpdate,
        response: { 204: Type.Null({ description: 'Changed.' }) },
      },
    },
    async (request, reply) => {
      const { scope, params, body } = request
      await users.patchUser(scope, userParts.connections, params.user_id, body)
      return reply.code(204).send(null)
    },
  )
}

function registerUserInfoRoutes(app: App): void {
  app.patch(
    '/v2/user/:user_id/info',
    {
      schema: {
        tags,
        summary: 'Store demographics',
        params: ByUserId,
        body: UserInfo,
        response: { 200: UserInfo },
      },
    },
    (request) => putUserInfo(request.scope, request.params.user_id, request.body),
  )

  app.get(
    '/v2/user/:user_id/info/latest',
    {
      schema: { tags, summary: 'Read demographics', params: ByUserId, response: { 200: UserInfo } },
    },
    (request) => getUserInfo(request.scope, request.params.user_id),
  )
}

function registerPortalRoute(app: App): void {
  app.post(
    '/v2/user/:user_id/create_portal_url',
    {
      schema: {
        tags,
        summary: 'Make a link to the portal of a user',
        description:
          'Salus has no portal for people yet, so this is always refused with 403 `feature_not_enabled`.',
        params: ByUserId,
        body: PortalUrlCreate,
        response: { 200: PortalUrl },
      },
    },
    async (request): Promise<PortalUrl> => {
      await users.getUserRow(request.scope, request.params.user_id)
      throw forbidden('feature_not_enabled', 'There is no portal for people.')
    },
  )
}
