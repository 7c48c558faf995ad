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
 * Registers the routes for saved views of the list of orders, among those of managed environments.
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
          'Returns the saved views of the list of orders, which everyone who manages the environment shares.',
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
          'Stores filters of the list of orders under a name. The filters contain no personal data. An environment has at most 100 views.',
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
        description: 'Changes the name of a view, its filters, or both.',
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
        description: 'Deletes the view for everyone who shares it.',
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
