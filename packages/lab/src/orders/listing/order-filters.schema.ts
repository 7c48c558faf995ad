import { INTERPRETATIONS } from '@salus/contracts/lab-gateway'
import { COLLECTION_METHODS, LOW_LEVEL_STATUSES } from '@salus/contracts/order-lifecycle'
import { DateOnly, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { ACTIVATION_TYPES, ORDER_DIRECTIONS, ORDER_KEYS } from './orders-list.schema.ts'

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
  { title: 'OrderFilters', additionalProperties: false },
)
