import { Button, TextInput } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconBookmark, IconDeviceFloppy, IconTrash } from '../../components/icons.tsx'
import {
  countFilters,
  isSame,
  type OrdersView,
  toFilters,
  viewFromFilters,
} from './order-filters.ts'

type SavedView = components['schemas']['SavedView']

const LIST = '/v1/org/{org_id}/team/{team_id}/{env}/saved_view'
const ONE = '/v1/org/{org_id}/team/{team_id}/{env}/saved_view/{view_id}'

const viewsQuery = ({ key, path }: Environment) =>
  queryOptions({
    queryKey: [...key, 'saved_views'],
    queryFn: async ({ signal }) =>
      (await unwrapResponse(management.GET(LIST, { params: { path }, signal }))).data,
  })

interface SavedViewsProps {
  view: OrdersView
  /** Shows all orders, or those of a saved view. */
  onOpen: (view: OrdersView) => void
  /** Search words are not saved: they may name people. */
  hasSearch: boolean
}

/** Saved views, shared by all users of the environment. */
export function SavedViews({ view, onOpen, hasSearch }: SavedViewsProps): ReactNode {
  const environment = useEnvironment()
  const { data: views = [], error, refetch } = useQuery(viewsQuery(environment))
  const [isNaming, setNaming] = useState(false)
  const [removed, setRemoved] = useState<SavedView>()
  const filters = toFilters(view)
  const opened = views.find(({ id }) => id === view.view)
  const isChanged = opened !== undefined && !isSame(opened.filters, filters)
  const update = useUpdate(environment)
  if (error) return <Failure error={error} onRetry={refetch} />
  return (
    <nav className="saved-views" aria-label="Saved views">
      <ViewButton
        title="All orders"
        isOpen={view.view === undefined && countFilters(filters) === 0}
        onOpen={() => onOpen(viewFromFilters({}))}
      />
      {views.map((saved) => (
        <ViewButton
          key={saved.id}
          title={saved.name}
          isOpen={saved.id === view.view}
          onOpen={() => onOpen({ ...viewFromFilters(saved.filters), view: saved.id })}
        />
      ))}
      <span className="saved-views-actions">
        {isChanged && (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={update.isPending}
            leftSection={<IconDeviceFloppy size={15} aria-hidden />}
            onClick={() => update.mutate({ id: opened.id, filters })}
          >
            Update view “{opened.name}”
          </Button>
        )}
        {countFilters(filters) > 0 && (opened === undefined || isChanged) && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconBookmark size={15} aria-hidden />}
            onClick={() => setNaming(true)}
          >
            Save view
          </Button>
        )}
        {opened !== undefined && !isChanged && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconTrash size={15} aria-hidden />}
            onClick={() => setRemoved(opened)}
          >
            Delete view
          </Button>
        )}
      </span>
      {update.error && <Failure error={update.error} />}
      <NameDialog
        key={String(isNaming)}
        isOpen={isNaming}
        hasSearch={hasSearch}
        onClose={() => setNaming(false)}
        filters={filters}
        onSaved={({ id }) => onOpen({ ...view, view: id })}
      />
      <RemoveDialog
        view={removed}
        onClose={() => setRemoved(undefined)}
        onRemoved={() => onOpen(viewFromFilters({}))}
      />
    </nav>
  )
}

interface ViewButtonProps {
  title: string
  isOpen: boolean
  onOpen: () => void
}

function ViewButton({ title, isOpen, onOpen }: ViewButtonProps): ReactNode {
  return (
    <button type="button" className="saved-view" aria-pressed={isOpen} onClick={onOpen}>
      {title}
    </button>
  )
}

function useUpdate({ key, path }: Environment) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, filters }: { id: string; filters: SavedView['filters'] }) =>
      unwrapResponse(
        management.PATCH(ONE, { params: { path: { ...path, view_id: id } }, body: { filters } }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: [...key, 'saved_views'] }),
  })
}

interface NameDialogProps {
  isOpen: boolean
  hasSearch: boolean
  filters: SavedView['filters']
  onClose: () => void
  onSaved: (view: SavedView) => void
}

function NameDialog({ isOpen, hasSearch, filters, onClose, onSaved }: NameDialogProps): ReactNode {
  const { key, path } = useEnvironment()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const save = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.POST(LIST, { params: { path }, body: { name: name.trim(), filters } }),
      ),
    onSuccess: async (view) => {
      await client.invalidateQueries({ queryKey: [...key, 'saved_views'] })
      onSaved(view)
      onClose()
    },
  })
  return (
    <Dialog title="Save view" isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextInput
          label="Name"
          description="All users of this environment see it. Do not name people in it."
          maxLength={60}
          required
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {hasSearch && (
          <p className="quiet">Search words are not saved, because they may name people.</p>
        )}
        {save.error && <Failure error={save.error} />}
        <div className="form-actions">
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
            Save view
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface RemoveDialogProps {
  view: SavedView | undefined
  onClose: () => void
  onRemoved: () => void
}

function RemoveDialog({ view, onClose, onRemoved }: RemoveDialogProps): ReactNode {
  const { key, path } = useEnvironment()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: (id: string) =>
      unwrapResponse(management.DELETE(ONE, { params: { path: { ...path, view_id: id } } })),
    onSuccess: async () => {
      onClose()
      onRemoved()
      await client.invalidateQueries({ queryKey: [...key, 'saved_views'] })
    },
  })
  return (
    <Dialog
      title={`Delete the view “${view?.name ?? ''}”?`}
      isOpen={view !== undefined}
      onClose={onClose}
      actions={
        <>
          <Button variant="subtle" onClick={onClose}>
            Keep view
          </Button>
          <Button loading={remove.isPending} onClick={() => view && remove.mutate(view.id)}>
            Delete view
          </Button>
        </>
      }
    >
      <p>It is deleted for all users of this environment. The orders stay as they are.</p>
      {remove.error && <Failure error={remove.error} />}
    </Dialog>
  )
}
