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

/** Views of the list of orders, shared in an environment. Among the routes of managed environments. */
export function registerSavedViewRoutes(app: App): void {
  const params = Type.Object(ENVIRONMENT_PARAMS)
  app.get(
    LIST,
    { schema: { tags, summary: 'List saved views', params, response: { 200: SavedViewList } } },
    ({ scope }) => showViews(scope),
  )
  app.post(
    LIST,
    {
      schema: {
        tags,
        summary: 'Save a view of the orders',
        params,
        body: SavedViewCreate,
        response: { 200: SavedView },
      },
    },
    ({ scope, body }) => createView(scope, body),
  )
  app.patch(
    ONE,
    {
      schema: {
        tags,
        summary: 'Change a saved view',
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
        tags,
        summary: 'Delete a saved view',
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
