import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { registerUserInfoRoutes } from './user-info.routes.ts'
import { getMetrics } from './user-metrics.service.ts'
import type { UserParts, UserViews } from './user-parts.ts'
import { registerUserSearchRoutes } from './user-search.routes.ts'
import {
  UndoDeleteQuery,
  UserCreate,
  UserListOf,
  UserListQuery,
  UserMetrics,
  UserOf,
  UserSearchQuery,
  UserUpdate,
} from './users.schema.ts'
import * as users from './users.service.ts'

const tags = ['Users']
const ByUserId = Type.Object({ user_id: Uuid })

interface UserRoutesOptions {
  /** Settings for creating and showing users. */
  config: { baseUrl: string | undefined; sandboxUserLimit: number }
  userParts: UserParts
}

interface UserRoutesContext extends UserRoutesOptions {
  User: ReturnType<typeof UserOf>
  /** Returns the parts of users, besides their rows, for the answer to a request. */
  viewsFor(request: FastifyRequest): UserViews
}

/** Registers users; a delete can be undone for seven days. */
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
  registerUserSearchRoutes(app, context)
  registerSingleUserRoutes(app, context)
  registerUserInfoRoutes(app)
}

function registerCreationRoutes(app: App, context: UserRoutesContext): void {
  const { config, User } = context
  app.post(
    '/v2/user',
    {
      schema: {
        operationId: 'createUser',
        tags,
        summary: 'Create a user',
        description:
          'Creates a user in the environment of the key. A client_user_id that is in use is refused, with the id of the user who has it.',
        body: UserCreate,
        'x-body-example': { client_user_id: 'runner-42', fallback_time_zone: 'Europe/Vienna' },
        response: { 200: User },
      },
    },
    ({ scope, body }) => users.createUser(scope, body, config),
  )
  registerDeletionRoutes(app, context)
}

function registerDeletionRoutes(app: App, { userParts }: UserRoutesContext): void {
  app.delete(
    '/v2/user/:user_id',
    {
      schema: {
        operationId: 'deleteUser',
        tags,
        summary: 'Delete a user',
        description:
          'Deletes a user. Readers no longer see the user at once. The delete can be undone for seven days; then the user is erased.',
        params: ByUserId,
        response: { 200: Success },
      },
    },
    async (request) => {
      await users.deleteUser(request.scope, userParts, request.params.user_id)
      return { success: true }
    },
  )

  app.post(
    '/v2/user/undo_delete',
    {
      schema: {
        operationId: 'undoDeleteUser',
        tags,
        summary: 'Undo the delete of a user',
        description:
          'Restores a user within seven days of the delete. The request gives exactly one of the two parameters.',
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
        operationId: 'listUsers',
        tags,
        summary: 'List users',
        description: 'Returns users, the oldest first, in pages by offset and limit.',
        querystring: UserListQuery,
        response: { 200: UserListOf(User) },
      },
    },
    (request) => users.listUsers(request.scope, request.query, viewsFor(request)),
  )

  app.get(
    '/v2/user/metrics',
    {
      schema: {
        operationId: 'getUserMetrics',
        tags,
        summary: 'Get the metrics of the team',
        description:
          'Returns the numbers of users, connections and ordered tests of the environment, and the number of connections by week.',
        response: { 200: UserMetrics },
      },
    },
    (request) => getMetrics(request.scope, userParts),
  )

  app.get(
    '/v2/team/users/search',
    {
      schema: {
        operationId: 'searchUsers',
        tags,
        summary: 'Search users',
        description:
          'Returns at most 50 users whose id begins with the text or whose client_user_id contains it, in upper or lower case.',
        querystring: UserSearchQuery,
        response: { 200: Type.Array(User) },
      },
    },
    (request) => users.searchUsers(request.scope, request.query.query_id, viewsFor(request)),
  )
}

function registerSingleUserRoutes(app: App, context: UserRoutesContext): void {
  const { User, viewsFor } = context
  app.get(
    '/v2/user/:user_id',
    {
      config: { appAccess: 'path' },
      schema: {
        operationId: 'getUser',
        tags,
        summary: 'Get a user',
        description: 'Returns the user with all connections.',
        params: ByUserId,
        response: { 200: User },
      },
    },
    (request) => users.getUser(request.scope, request.params.user_id, viewsFor(request)),
  )

  app.get(
    '/v2/user/resolve/:client_user_id',
    {
      schema: {
        operationId: 'resolveUser',
        tags,
        summary: 'Find a user by client_user_id',
        description: 'Returns the user with exactly this client_user_id.',
        params: Type.Object({ client_user_id: Type.String() }),
        response: { 200: User },
      },
    },
    (request) => users.resolveUser(request.scope, request.params.client_user_id, viewsFor(request)),
  )
  registerUpdateRoute(app, context)
}

function registerUpdateRoute(app: App, { userParts }: UserRoutesContext): void {
  app.patch(
    '/v2/user/:user_id',
    {
      schema: {
        operationId: 'updateUser',
        tags,
        summary: 'Update a user',
        description: 'Changes the fields that the body contains; null removes a setting.',
        params: ByUserId,
        body: UserUpdate,
        'x-body-example': { fallback_time_zone: 'America/Phoenix', ingestion_end: null },
        response: { 204: Type.Null({ description: 'The user was changed.' }) },
      },
    },
    async (request, reply) => {
      const { scope, params, body } = request
      await users.patchUser(scope, userParts.connections, params.user_id, body)
      return reply.code(204).send(null)
    },
  )
}
