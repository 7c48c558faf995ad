import { DateTime, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENT_PARAMS } from '@salus/kernel/http/environment-path'
import type { Resource } from '@salus/kernel/http/permissions'
import Type, { type TObject } from 'typebox'

/** Named filters of lists (docs/contract/11-orders.md#saved-views). */

/** Lists that have views, and the resource whose permission a view needs. */
export const LISTS = {
  orders: 'orders',
  people: 'people',
  tasks: 'tasks',
  events: 'webhooks',
} as const satisfies Record<string, Resource>
export type ListName = keyof typeof LISTS
const LIST_NAMES = Object.keys(LISTS) as ListName[]

/** Filters of each list, which the domain of the list provides; no other keys are allowed. */
export type FiltersOfLists = Readonly<Record<ListName, TObject>>

const closed = { additionalProperties: false }
const ViewName = Type.String({ minLength: 1, maxLength: 60, pattern: '^\\S(.*\\S)?$' })
const List = TextEnum(LIST_NAMES, { description: 'List whose filters the view holds.' })
const IsPrivate = Type.Boolean({
  description:
    'Whether only the management key that made the view sees it; it is deleted with the key.',
})

export const SavedViewQuery = Type.Object({
  list: Type.Optional(
    TextEnum([...LIST_NAMES, 'all'], {
      description:
        'List whose views are returned, by default `orders`; `all` for those of every list that the role may read.',
    }),
  ),
})
export type SavedViewQuery = Type.Static<typeof SavedViewQuery>

/** Stored filters, which were checked when they were saved. */
export type Filters = Record<string, unknown>

/** Without the schemas of the lists, by which they were checked. */
const StoredFilters = Type.Unsafe<Filters>({
  type: 'object',
  additionalProperties: true,
  description: 'Filters of the list.',
})

/** Returns the schemas of views with the filters of all lists. */
export function savedViewSchemas(filtersOfLists: FiltersOfLists) {
  const Filters = Type.Unsafe<Filters>({
    ...Type.Union(LIST_NAMES.map((list) => filtersOfLists[list])),
    description: 'Filters of the list; none that name people.',
  })
  const SavedView = Type.Object(
    {
      id: Uuid,
      name: Type.String(),
      list: List,
      is_private: IsPrivate,
      filters: StoredFilters,
      created_at: DateTime,
      updated_at: DateTime,
    },
    { title: 'SavedView' },
  )
  return {
    SavedView,
    SavedViewList: Type.Object({ data: Type.Array(SavedView) }, { title: 'SavedViewList' }),
    SavedViewCreate: Type.Object(
      {
        name: ViewName,
        filters: Filters,
        list: Type.Optional(List),
        is_private: Type.Optional(IsPrivate),
      },
      { title: 'SavedViewCreate', ...closed },
    ),
    SavedViewUpdate: Type.Object(
      { name: Type.Optional(ViewName), filters: Type.Optional(Filters) },
      { title: 'SavedViewUpdate', minProperties: 1, ...closed },
    ),
  }
}

type Schemas = ReturnType<typeof savedViewSchemas>
export type SavedView = Type.Static<Schemas['SavedView']>
export type SavedViewCreate = Type.Static<Schemas['SavedViewCreate']>
export type SavedViewUpdate = Type.Static<Schemas['SavedViewUpdate']>

export const BySavedView = Type.Object({ ...ENVIRONMENT_PARAMS, view_id: Uuid })
