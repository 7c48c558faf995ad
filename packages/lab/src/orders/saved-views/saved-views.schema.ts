import { INTERPRETATIONS } from '@salus/contracts/lab-gateway'
import { COLLECTION_METHODS, LOW_LEVEL_STATUSES } from '@salus/contracts/order-lifecycle'
import { DateOnly, DateTime, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENT_PARAMS } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { ACTIVATION_TYPES, ORDER_DIRECTIONS, ORDER_KEYS } from '../listing/orders-list.schema.ts'

/** Named filters of the list of orders (docs/contract/11-orders.md#saved-views). */

const closed = { additionalProperties: false }
const choices = <const T extends readonly string[]>(values: T) =>
  Type.Optional(Type.Array(TextEnum(values), { maxItems: values.length, uniqueItems: true }))

/**
 * Filters of GET /v3/orders without those that name people, because views and their URLs are
 * shared. Its dates are fixed; `created_within_days` is relative to the current day.
 */
export const OrderFilters = Type.Object(
  {
    status: choices(LOW_LEVEL_STATUSES),
    order_type: choices(COLLECTION_METHODS),
    interpretation: Type.Optional(TextEnum(INTERPRETATIONS)),
    is_critical: Type.Optional(Type.Boolean()),
    order_activation_types: choices(ACTIVATION_TYPES),
    start_date: Type.Optional(DateOnly),
    end_date: Type.Optional(DateOnly),
    updated_start_date: Type.Optional(DateOnly),
    updated_end_date: Type.Optional(DateOnly),
    created_within_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 366,
        description: 'Number of days up to and including today; clients compute the dates from it.',
      }),
    ),
    user_id: Type.Optional(Uuid),
    order_transaction_id: Type.Optional(Uuid),
    order_key: Type.Optional(TextEnum(ORDER_KEYS)),
    order_direction: Type.Optional(TextEnum(ORDER_DIRECTIONS)),
  },
  { title: 'OrderFilters', ...closed },
)
export type OrderFilters = Type.Static<typeof OrderFilters>

const ViewName = Type.String({ minLength: 1, maxLength: 60, pattern: '^\\S(.*\\S)?$' })

export const SavedView = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    filters: OrderFilters,
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'SavedView' },
)
export type SavedView = Type.Static<typeof SavedView>

export const SavedViewList = Type.Object(
  { data: Type.Array(SavedView) },
  { title: 'SavedViewList' },
)

export const SavedViewCreate = Type.Object(
  { name: ViewName, filters: OrderFilters },
  { title: 'SavedViewCreate', ...closed },
)
export type SavedViewCreate = Type.Static<typeof SavedViewCreate>

export const SavedViewUpdate = Type.Object(
  { name: Type.Optional(ViewName), filters: Type.Optional(OrderFilters) },
  { title: 'SavedViewUpdate', minProperties: 1, ...closed },
)
export type SavedViewUpdate = Type.Static<typeof SavedViewUpdate>

export const BySavedView = Type.Object({ ...ENVIRONMENT_PARAMS, view_id: Uuid })
