import { EXAMPLE_ADDRESS, EXAMPLE_PERSON } from '@salus/contracts/examples'
import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { getUserInfo, putUserInfo } from './user-info.service.ts'
import { UserInfo } from './users.schema.ts'

const tags = ['Users']
const ByUserId = Type.Object({ user_id: Uuid })

/** Registers the routes for the demographics of a user. */
export function registerUserInfoRoutes(app: App): void {
  app.patch(
    '/v2/user/:user_id/info',
    {
      schema: {
        operationId: 'updateUserInfo',
        tags,
        summary: 'Store the demographics of a user',
        description:
          'Replaces the demographics of the user, which laboratories require of a patient.',
        params: ByUserId,
        body: UserInfo,
        'x-body-example': { ...EXAMPLE_PERSON, address: EXAMPLE_ADDRESS },
        response: { 200: UserInfo },
      },
    },
    (request) => putUserInfo(request.scope, request.params.user_id, request.body),
  )

  app.get(
    '/v2/user/:user_id/info/latest',
    {
      schema: {
        operationId: 'getUserInfo',
        tags,
        summary: 'Get the demographics of a user',
        description:
          'Returns the demographics as they were stored last, or 404 when there are none.',
        params: ByUserId,
        response: { 200: UserInfo },
      },
    },
    (request) => getUserInfo(request.scope, request.params.user_id),
  )
}
