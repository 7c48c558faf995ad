import { INTERPRETATIONS } from '@salus/contracts/lab-gateway'
import { COLLECTION_METHODS, LOW_LEVEL_STATUSES } from '@salus/contracts/order-lifecycle'
import { DateOrDateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { Order } from '../orders.schema.ts'

/**
 * Query and response of the list of orders (docs/contract/11-orders.md#get-v3orders).
 */

export const ORDER_KEYS = ['created_at', 'patient_name', 'last_status'] as const
export type OrderKey = (typeof ORDER_KEYS)[number]
export const ORDER_DIRECTIONS = ['asc', 'desc'] as const
export type OrderDirection = (typeof ORDER_DIRECTIONS)[number]
export const ACTIVATION_TYPES = ['current', 'scheduled'] as const

const MOST_ORDER_IDS = 500
const SearchedName = Type.Optional(
  Nullable(Type.String({ description: 'Filters by a part of the name, regardless of case.' })),
)

export const OrderListQuery = Type.Object({
  search_input: Type.Optional(
    Nullable(
      Type.String({
        description:
          'Filters by an order id or user id, a birth date (YYYY-MM-DD), or a part of the name of the ' +
          'patient or the shipping recipient.',
      }),
    ),
  ),
  start_date: Type.Optional(Nullable(DateOrDateTime)),
  end_date: Type.Optional(Nullable(DateOrDateTime)),
  updated_start_date: Type.Optional(Nullable(DateOrDateTime)),
  updated_end_date: Type.Optional(Nullable(DateOrDateTime)),
  status: Type.Optional(Nullable(Type.Array(TextEnum(LOW_LEVEL_STATUSES)))),
  order_key: Type.Optional(Nullable(TextEnum(ORDER_KEYS))),
  order_direction: Type.Optional(Nullable(TextEnum(ORDER_DIRECTIONS))),
  order_type: Type.Optional(Nullable(Type.Array(TextEnum(COLLECTION_METHODS)))),
  is_critical: Type.Optional(Nullable(Type.Boolean())),
  interpretation: Type.Optional(Nullable(TextEnum(INTERPRETATIONS))),
  order_activation_types: Type.Optional(Nullable(Type.Array(TextEnum(ACTIVATION_TYPES)))),
  user_id: Type.Optional(Nullable(Uuid)),
  patient_name: SearchedName,
  shipping_recipient_name: SearchedName,
  order_ids: Type.Optional(Nullable(Type.Array(Uuid, { maxItems: MOST_ORDER_IDS }))),
  order_transaction_id: Type.Optional(Nullable(Uuid)),
  page: Type.Integer({ minimum: 1, default: 1 }),
  size: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
})
export type OrderListQuery = Type.Static<typeof OrderListQuery>

/** Filters of the list whose orders are written into a file. */
export const OrderExportQuery = Type.Omit(OrderListQuery, ['page', 'size'])
export type OrderExportQuery = Type.Static<typeof OrderExportQuery>

export const OrderList = Type.Object(
  {
    orders: Type.Array(Order),
    total: Type.Integer({
      description:
        'Number of matching orders on all pages. With `total_is_capped` it is 10,000, or one more than ' +
        'the orders up to the end of this page, whichever is greater.',
    }),
    page: Type.Integer(),
    size: Type.Integer(),
    total_is_capped: Type.Optional(
      Type.Literal(true, {
        description:
          'Whether more orders match than `total` says, which happens only when names are searched by ' +
          'one or two letters. Further pages can be read as usual.',
      }),
    ),
  },
  { title: 'GetOrdersResponse' },
)
export type OrderList = Type.Static<typeof OrderList>
