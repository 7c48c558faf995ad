import { Success } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import {
  BySavedView,
  SavedView,
  SavedViewCreate,
  SavedViewList,
  SavedViewUpdate,
} from './saved-views.schema.ts'
import { changeView, createView, removeView, showViews } from './saved-views.service.ts'

const tags = ['Orders']
const LIST = `${ENVIRONMENT_PATH}/saved_view`
const ONE = `${LIST}/:view_id`

const IN_ENVIRONMENT = Type.Object(ENVIRONMENT_PARAMS)

/**
 * Views of the list of orders, shared in an environment. Among the routes of managed environments.
 */
export function registerSavedViewRoutes(app: App): void {
  app.get(
    LIST,
    {
      schema: {
        operationId: 'listSavedViews',
        tags,
        summary: 'List saved views',
        description:
          'Filters of the list of orders under a name, which everybody shares who looks after the environment.',
        params: IN_ENVIRONMENT,
        response: { 200: SavedViewList },
      },
    },
    ({ scope }) => showViews(scope),
  )
  app.post(
    LIST,
    {
      schema: {
        operationId: 'createSavedView',
        tags,
        summary: 'Save a view of the orders',
        description:
          'The filters hold ids, choices and dates, and nothing of a person. At most 100 in an environment.',
        params: IN_ENVIRONMENT,
        body: SavedViewCreate,
        response: { 200: SavedView },
      },
    },
    ({ scope, body }) => createView(scope, body),
  )
  registerSavedViewChanges(app)
}

function registerSavedViewChanges(app: App): void {
  app.patch(
    ONE,
    {
      schema: {
        operationId: 'updateSavedView',
        tags,
        summary: 'Change a saved view',
        description: 'Gives a view another name, other filters, or both.',
        params: BySavedView,
        body: SavedViewUpdate,
        response: { 200: SavedView },
      },
    },
    ({ scope, params: { view_id: id }, body }) => changeView(scope, id, body),
  )
  app.delete(
    ONE,
    {
      schema: {
        operationId: 'deleteSavedView',
        tags,
        summary: 'Delete a saved view',
        description: 'For everybody who shares it.',
        params: BySavedView,
        response: { 200: Success },
      },
    },
    async ({ scope, params: { view_id: id } }) => {
      await removeView(scope, id)
      return { success: true }
    },
  )
}
