import { Button, Checkbox, TextInput } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { type Permission, usePermission } from '../../api/session.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { IconBookmark, IconDeviceFloppy, IconTrash } from '../icons.tsx'
import './list.css'

type SavedView = components['schemas']['SavedView']
type ListName = SavedView['list']
type Filters = Record<string, unknown>

const LIST = '/v1/org/{org_id}/team/{team_id}/{env}/saved_view'
const ONE = '/v1/org/{org_id}/team/{team_id}/{env}/saved_view/{view_id}'

/** Loads the views of all lists that the role includes. */
export const viewsQuery = ({ key, path }: Environment) =>
  queryOptions({
    queryKey: [...key, 'saved_views'],
    queryFn: async ({ signal }) => {
      const query = { list: 'all' } as const
      return (await unwrapResponse(management.GET(LIST, { params: { path, query }, signal }))).data
    },
    staleTime: 30_000,
  })

/** What users need to share views of a list; their own need no more than the list. */
const SHARING: Readonly<Record<ListName, Permission>> = {
  orders: 'orders:write',
  people: 'people:write',
  tasks: 'tasks:write',
  events: 'webhooks:write',
}

interface SavedViewsProps {
  list: ListName
  /** Title of the list without filters. */
  allTitle: string
  /** Filters of the list as they are now; empty for none. */
  filters: Filters
  /** The chosen view, as the address has it. */
  viewId: string | undefined
  /** Shows all rows, or those of a saved view. */
  onOpen: (filters: Filters, viewId: string | undefined) => void
  /** Search words are not saved: they may name people. */
  hasSearch: boolean
}

/** Saved views of a list: those that users of the environment share, and the user's own. */
export function SavedViews(props: SavedViewsProps): ReactNode {
  const { list, allTitle, filters, viewId, onOpen, hasSearch } = props
  const environment = useEnvironment()
  const { data: all = [], error, refetch } = useQuery(viewsQuery(environment))
  const [isNaming, setNaming] = useState(false)
  const [removed, setRemoved] = useState<SavedView>()
  const views = all.filter((view) => view.list === list)
  const opened = views.find(({ id }) => id === viewId)
  const isEmpty = Object.keys(filters).length === 0
  const mayShare = usePermission(SHARING[list])
  const mayChange = opened?.is_private === true || mayShare
  const isChanged = opened !== undefined && textOf(opened.filters) !== textOf(filters)
  const update = useUpdate(environment)
  if (error) return <Failure error={error} onRetry={refetch} />
  return (
    <nav className="saved-views" aria-label="Saved views">
      <ViewButton
        title={allTitle}
        isOpen={viewId === undefined && isEmpty}
        onOpen={() => onOpen({}, undefined)}
      />
      {views.map((saved) => (
        <ViewButton
          key={saved.id}
          title={saved.name}
          isOpen={saved.id === viewId}
          onOpen={() => onOpen(saved.filters, saved.id)}
        />
      ))}
      <span className="saved-views-actions">
        {isChanged && mayChange && (
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
        {!isEmpty && (opened === undefined || isChanged) && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconBookmark size={15} aria-hidden />}
            onClick={() => setNaming(true)}
          >
            Save view
          </Button>
        )}
        {opened !== undefined && !isChanged && mayChange && (
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
        list={list}
        hasSearch={hasSearch}
        mayShare={mayShare}
        onClose={() => setNaming(false)}
        filters={filters}
        onSaved={({ id }) => onOpen(filters, id)}
      />
      <RemoveDialog
        view={removed}
        onClose={() => setRemoved(undefined)}
        onRemoved={() => onOpen({}, undefined)}
      />
    </nav>
  )
}

/** The same text for the same filters. */
function textOf(filters: Filters): string {
  const entries = Object.entries(filters)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])
  return JSON.stringify(entries.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
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
    mutationFn: ({ id, filters }: { id: string; filters: Filters }) =>
      unwrapResponse(
        management.PATCH(ONE, {
          params: { path: { ...path, view_id: id } },
          body: { filters: filters as never },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: [...key, 'saved_views'] }),
  })
}

interface NameDialogProps {
  isOpen: boolean
  list: ListName
  hasSearch: boolean
  /** Whether the view can be one for all. */
  mayShare: boolean
  filters: Filters
  onClose: () => void
  onSaved: (view: SavedView) => void
}

function NameDialog(props: NameDialogProps): ReactNode {
  const { isOpen, list, hasSearch, mayShare, filters, onClose, onSaved } = props
  const { key, path } = useEnvironment()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(mayShare)
  const save = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.POST(LIST, {
          params: { path },
          body: { name: name.trim(), list, filters: filters as never, is_private: !isShared },
        }),
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
          description="Do not name people in it."
          maxLength={60}
          required
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {mayShare && (
          <Checkbox
            label="Share with all users of this environment"
            checked={isShared}
            onChange={({ currentTarget }) => setShared(currentTarget.checked)}
          />
        )}
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
      <p>
        {view?.is_private ? 'Only you see it.' : 'It is deleted for all users of this environment.'}{' '}
        What it lists stays as it is.
      </p>
      {remove.error && <Failure error={remove.error} />}
    </Dialog>
  )
}
