import { Success } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import {
  BySavedView,
  type FiltersOfLists,
  SavedViewQuery,
  savedViewSchemas,
} from './saved-views.schema.ts'
import { changeView, createView, removeView, showViews } from './saved-views.service.ts'

const tags = ['Orders']
const LIST = `${ENVIRONMENT_PATH}/saved_view`
const ONE = `${LIST}/:view_id`

const IN_ENVIRONMENT = Type.Object(ENVIRONMENT_PARAMS)

/** Registers the routes for saved views of lists, among those of managed environments. */
export function registerSavedViewRoutes(app: App, filtersOfLists: FiltersOfLists): void {
  const schemas = savedViewSchemas(filtersOfLists)
  app.get(
    LIST,
    {
      schema: {
        operationId: 'listSavedViews',
        tags,
        summary: 'List saved views',
        description:
          'Returns the saved views of a list, by default of orders: those that everyone who manages the environment shares, and those of the calling key.',
        params: IN_ENVIRONMENT,
        querystring: SavedViewQuery,
        response: { 200: schemas.SavedViewList },
      },
    },
    ({ scope, query, managementKey }) => showViews(scope, managementKey, query.list ?? 'orders'),
  )
  app.post(
    LIST,
    {
      schema: {
        operationId: 'createSavedView',
        tags,
        summary: 'Save a view of a list',
        description:
          'Stores filters of a list under a name, for everyone who manages the environment or only for the calling key. The filters contain no personal data. A list has at most 100 views.',
        params: IN_ENVIRONMENT,
        body: schemas.SavedViewCreate,
        'x-body-example': { name: 'Critical this week', filters: { created_within_days: 7 } },
        response: { 200: schemas.SavedView },
      },
    },
    ({ scope, body, managementKey }) => createView(scope, managementKey, filtersOfLists, body),
  )
  registerSavedViewChanges(app, filtersOfLists, schemas)
}

function registerSavedViewChanges(
  app: App,
  filtersOfLists: FiltersOfLists,
  { SavedView, SavedViewUpdate }: ReturnType<typeof savedViewSchemas>,
): void {
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
        'x-body-example': { filters: { created_within_days: 30 } },
        response: { 200: SavedView },
      },
    },
    ({ scope, params: { view_id: id }, body, managementKey }) =>
      changeView(scope, managementKey, filtersOfLists, id, body),
  )
  app.delete(
    ONE,
    {
      schema: {
        operationId: 'deleteSavedView',
        tags,
        summary: 'Delete a saved view',
        description: 'Deletes the view for everyone who sees it.',
        params: BySavedView,
        response: { 200: Success },
      },
    },
    async ({ scope, params: { view_id: id }, managementKey }) => {
      await removeView(scope, managementKey, id)
      return { success: true }
    },
  )
}
