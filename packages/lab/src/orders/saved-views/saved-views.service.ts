import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import * as repository from './saved-views.repository.ts'
import type { SavedView, SavedViewCreate, SavedViewUpdate } from './saved-views.schema.ts'

/** Most views of an environment. */
const MOST_VIEWS = 100

/** Returns all views of the environment, by name. */
export async function showViews(scope: Scope): Promise<{ data: SavedView[] }> {
  return { data: (await repository.listViews(scope)).map(toView) }
}

/** Creates a view. @throws AppError 400 `saved_view_name_taken`, `too_many_saved_views` */
export function createView(scope: Scope, { name, filters }: SavedViewCreate): Promise<SavedView> {
  return scope.transaction(async (tx) => {
    const views = await repository.lockViews(tx)
    if (views.length >= MOST_VIEWS) {
      throw badRequest('too_many_saved_views', 'The environment already has 100 saved views.')
    }
    requireFreeName(views, name)
    const at = tx.clock.now()
    return toView(await repository.insertView(tx, { id: newId(), name, filters, at }))
  })
}

/** Changes a view. @throws AppError 404 `saved_view_not_found`; 400 `saved_view_name_taken` */
export function changeView(scope: Scope, id: string, change: SavedViewUpdate): Promise<SavedView> {
  return scope.transaction(async (tx) => {
    const views = await repository.lockViews(tx)
    const view = views.find((candidate) => candidate.id === id.toLowerCase())
    if (view === undefined) throw notFoundCode('saved_view_not_found')
    const { name = view.name, filters = view.filters } = change
    requireFreeName(
      views.filter((other) => other !== view),
      name,
    )
    return toView(await repository.updateView(tx, view.id, { name, filters, at: tx.clock.now() }))
  })
}

/** Deletes a view. @throws AppError 404 `saved_view_not_found` */
export async function removeView(scope: Scope, id: string): Promise<void> {
  if (!(await repository.deleteView(scope, id))) throw notFoundCode('saved_view_not_found')
}

function requireFreeName(views: readonly repository.SavedViewRow[], name: string): void {
  const isTaken = views.some((view) => view.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw badRequest('saved_view_name_taken', 'Another saved view has this name.')
}

function toView(row: repository.SavedViewRow): SavedView {
  const { id, name, filters, created_at: createdAt, updated_at: updatedAt } = row
  return {
    id,
    name,
    filters,
    created_at: formatInstant(createdAt),
    updated_at: formatInstant(updatedAt),
  }
}
