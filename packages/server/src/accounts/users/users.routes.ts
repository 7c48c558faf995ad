import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { App } from '../../platform/http/app-types.ts'
import { baseUrlOf } from '../../platform/http/base-url.ts'
import { Success, Uuid } from '../../platform/http/schema-types.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { OrdersOfUsers } from './orders-of-users.ts'
import { getUserInfo, putUserInfo } from './user-info.service.ts'
import { getMetrics } from './user-metrics.service.ts'
import {
  UndoDeleteQuery,
  User,
  UserCreate,
  UserInfo,
  UserList,
  UserListQuery,
  UserMetrics,
  UserSearchQuery,
  UserUpdate,
} from './users.schema.ts'
import * as users from './users.service.ts'

export interface UserRoutesOptions {
  db: Db
  clock: Clock
  config: { baseUrl: string | undefined; sandboxUserLimit: number }
  orders: OrdersOfUsers
}

const tags = ['Users']
const ByUserId = Type.Object({ user_id: Uuid })

export function registerUserRoutes(
  app: App,
  { db, clock, config, orders }: UserRoutesOptions,
): void {
  const context = (request: FastifyRequest): users.UsersContext => ({
    db,
    clock,
    log: request.log,
    environment: request.scope.environment,
    baseUrl: baseUrlOf(request, config.baseUrl),
    sandboxUserLimit: config.sandboxUserLimit,
  })

  registerCreationRoutes(app, context, orders)
  registerListRoutes(app, context, orders)
  registerSingleUserRoutes(app, context)
  registerUserInfoRoutes(app, context)
}

type ContextOf = (request: FastifyRequest) => users.UsersContext

function registerCreationRoutes(app: App, context: ContextOf, orders: OrdersOfUsers): void {
  app.post(
    '/v2/user',
    { schema: { tags, summary: 'Create a user', body: UserCreate, response: { 200: User } } },
    (request) => users.createUser(context(request), request.body),
  )

  app.delete(
    '/v2/user/:user_id',
    { schema: { tags, summary: 'Delete a user', params: ByUserId, response: { 200: Success } } },
    async (request) => {
      await users.deleteUser(context(request), orders, request.params.user_id)
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
      await users.undoDelete(context(request), orders, request.query)
      return { success: true }
    },
  )
}

function registerListRoutes(app: App, context: ContextOf, orders: OrdersOfUsers): void {
  app.get(
    '/v2/user',
    {
      schema: {
        tags,
        summary: 'List users',
        querystring: UserListQuery,
        response: { 200: UserList },
      },
    },
    (request) => users.listUsers(context(request), request.query),
  )

  app.get(
    '/v2/user/metrics',
    { schema: { tags, summary: 'Numbers of the team', response: { 200: UserMetrics } } },
    (request) => getMetrics(context(request), orders),
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
    (request) => users.searchUsers(context(request), request.query.query_id),
  )
}

function registerSingleUserRoutes(app: App, context: ContextOf): void {
  app.get(
    '/v2/user/:user_id',
    { schema: { tags, summary: 'Read a user', params: ByUserId, response: { 200: User } } },
    (request) => users.getUser(context(request), request.params.user_id),
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
    (request) => users.resolveUser(context(request), request.params.client_user_id),
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
      await users.patchUser(context(request), request.params.user_id, request.body)
      return reply.code(204).send(null)
    },
  )
}

function registerUserInfoRoutes(app: App, context: ContextOf): void {
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
    (request) => putUserInfo(context(request), request.params.user_id, request.body),
  )

  app.get(
    '/v2/user/:user_id/info/latest',
    {
      schema: { tags, summary: 'Read demographics', params: ByUserId, response: { 200: UserInfo } },
    },
    (request) => getUserInfo(context(request), request.params.user_id),
  )
}
