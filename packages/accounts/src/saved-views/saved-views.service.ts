import { badRequest, invalidInput, notFoundCode } from '@salus/kernel/errors'
import { hasPermission, requirePermissions } from '@salus/kernel/http/permissions'
import { newId } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import Value from 'typebox/value'
import { type ManagementKeyIdentity, PERMISSIONS_OF_ROLES } from '../teams/index.ts'
import * as repository from './saved-views.repository.ts'
import {
  type Filters,
  type FiltersOfLists,
  LISTS,
  type ListName,
  type SavedView,
  type SavedViewCreate,
  type SavedViewUpdate,
} from './saved-views.schema.ts'

/** Most views of one list that a key sees in an environment. */
const MOST_VIEWS = 100

type Caller = Pick<ManagementKeyIdentity, 'id' | 'role'>

/**
 * Returns the shared views of a list and those of the key, by name.
 * @param list `all` for every list that the role may read
 * @throws AppError 403 `insufficient_scope`
 */
export async function showViews(
  scope: Scope,
  caller: Caller,
  list: ListName | 'all',
): Promise<{ data: SavedView[] }> {
  if (list !== 'all') requireRole(caller, list, 'read')
  const granted = PERMISSIONS_OF_ROLES[caller.role]
  const views = await repository.listViews(scope, caller.id)
  const shown = views.filter(
    (view) =>
      (list === 'all' || view.list === list) && hasPermission(granted, `${LISTS[view.list]}:read`),
  )
  return { data: shown.map(toView) }
}

/**
 * Creates a view. A private one needs only the permission to read the list.
 * @throws AppError 403 `insufficient_scope`; 400 `saved_view_name_taken`, `too_many_saved_views`;
 *   422 for filters of another list
 */
export function createView(
  scope: Scope,
  caller: Caller,
  filtersOfLists: FiltersOfLists,
  { name, filters, list = 'orders', is_private: isPrivate = false }: SavedViewCreate,
): Promise<SavedView> {
  requireRole(caller, list, isPrivate ? 'read' : 'write')
  refuseOtherFilters(filtersOfLists, list, filters)
  return scope.transaction(async (tx) => {
    const views = await repository.lockViews(tx, caller.id)
    if (views.filter((view) => view.list === list).length >= MOST_VIEWS) {
      throw badRequest('too_many_saved_views', 'The list already has 100 saved views.')
    }
    requireFreeName(views, list, name)
    const owner = isPrivate ? caller.id : null
    const view = { id: newId(), list, name, filters, management_key_id: owner }
    return toView(await repository.insertView(tx, view, tx.clock.now()))
  })
}

/**
 * Changes a view. One of another key does not exist for the caller.
 * @throws AppError 404 `saved_view_not_found`; 403 `insufficient_scope`; 400
 *   `saved_view_name_taken`; 422
 */
export function changeView(
  scope: Scope,
  caller: Caller,
  filtersOfLists: FiltersOfLists,
  id: string,
  change: SavedViewUpdate,
): Promise<SavedView> {
  return scope.transaction(async (tx) => {
    const views = await repository.lockViews(tx, caller.id)
    const view = findOwn(views, caller, id)
    const { name = view.name, filters = view.filters } = change
    refuseOtherFilters(filtersOfLists, view.list, filters)
    requireFreeName(
      views.filter((other) => other !== view),
      view.list,
      name,
    )
    return toView(await repository.updateView(tx, view.id, { name, filters, at: tx.clock.now() }))
  })
}

/** Deletes a view. @throws AppError 404 `saved_view_not_found`; 403 `insufficient_scope` */
export async function removeView(scope: Scope, caller: Caller, id: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const view = findOwn(await repository.lockViews(tx, caller.id), caller, id)
    await repository.deleteView(tx, view.id)
  })
}

/** Finds a view that the caller sees, and requires that they may change it. */
function findOwn(
  views: readonly repository.SavedViewRow[],
  caller: Caller,
  id: string,
): repository.SavedViewRow {
  const view = views.find((candidate) => candidate.id === id.toLowerCase())
  if (view === undefined) throw notFoundCode('saved_view_not_found')
  requireRole(caller, view.list, view.management_key_id === null ? 'write' : 'read')
  return view
}

function requireRole({ role }: Caller, list: ListName, action: 'read' | 'write'): void {
  requirePermissions(PERMISSIONS_OF_ROLES[role], [`${LISTS[list]}:${action}`])
}

function refuseOtherFilters(schemas: FiltersOfLists, list: ListName, filters: Filters): void {
  if (Value.Check(schemas[list], filters)) return
  throw invalidInput(
    ['body', 'filters'],
    'The list has no such filters, or not with these values',
    'anyOf',
  )
}

function requireFreeName(
  views: readonly repository.SavedViewRow[],
  list: ListName,
  name: string,
): void {
  const isTaken = views.some(
    (view) => view.list === list && view.name.toLowerCase() === name.toLowerCase(),
  )
  if (isTaken) throw badRequest('saved_view_name_taken', 'Another saved view has this name.')
}

function toView(row: repository.SavedViewRow): SavedView {
  const { id, name, list, filters, created_at: createdAt, updated_at: updatedAt } = row
  return {
    id,
    name,
    list,
    is_private: row.management_key_id !== null,
    filters,
    created_at: formatInstant(createdAt),
    updated_at: formatInstant(updatedAt),
  }
}
