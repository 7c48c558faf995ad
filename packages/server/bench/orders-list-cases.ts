import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import {
  ORDER_DIRECTIONS,
  ORDER_KEYS,
  type OrderListQuery,
} from '../../lab/src/orders/listing/orders-list.schema.ts'
import { ENVIRONMENT_ID } from './orders-seed.ts'

export interface ListCase {
  name: string
  query: Partial<OrderListQuery>
}

/** A user, order … of whom there are usual numbers, and the user of most orders. */
async function findExamples(db: Db) {
  const { rows } = await sql<{
    id: string
    user_id: string
    transaction_id: string
    patient_dob: string
    busy_user_id: string
    ids: string[]
  }>`select id, user_id, transaction_id, patient_dob,
      (select user_id from orders where environment_id = ${ENVIRONMENT_ID} group by user_id
        order by count(*) desc limit 1) as busy_user_id,
      array(select id from orders where environment_id = ${ENVIRONMENT_ID} order by id
        limit 500)::text[] as ids
    from orders where environment_id = ${ENVIRONMENT_ID} order by id offset 1000 limit 1`.execute(
    db,
  )
  const [example] = rows
  if (example === undefined) throw new Error('There are no orders.')
  return example
}

/**
 * Every filter with a value that few orders have and one that many have, the sorts, likely pairs.
 */
export async function listCases(db: Db): Promise<ListCase[]> {
  const example = await findExamples(db)
  const alone: OrderListQueries = [
    {},
    { search_input: example.id },
    { search_input: example.busy_user_id },
    { search_input: example.patient_dob },
    { search_input: 'wentzski' },
    { search_input: 'smith' },
    { search_input: 'mar' },
    { search_input: 'an' },
    { search_input: 'a' },
    { search_input: 'qx' },
    { start_date: '2026-02-27' },
    { start_date: '2024-06-01' },
    { start_date: '2024-06-01T07:30:00Z' },
    { end_date: '2024-04-01' },
    { end_date: '2025-12-01' },
    { updated_start_date: '2026-02-28' },
    { updated_start_date: '2025-11-01' },
    { updated_start_date: '2024-06-01T07:30:00Z' },
    { updated_end_date: '2024-04-01' },
    { updated_end_date: '2025-12-01' },
    { status: ['lost'] },
    { status: ['completed'] },
    { status: ['ordered', 'partial_results', 'sample_error'] },
    { order_type: ['on_site_collection'] },
    { order_type: ['testkit', 'walk_in_test'] },
    { is_critical: true },
    { is_critical: false },
    { interpretation: 'unknown' },
    { interpretation: 'normal' },
    { order_activation_types: ['scheduled'] },
    { order_activation_types: ['current'] },
    { user_id: example.user_id },
    { user_id: example.busy_user_id },
    { patient_name: 'wentzski' },
    { patient_name: 'smith' },
    { patient_name: 'mar' },
    { patient_name: 'an' },
    { patient_name: 'a' },
    { shipping_recipient_name: 'smith fam' },
    { shipping_recipient_name: 'family' },
    { shipping_recipient_name: 'e' },
    { order_ids: example.ids.slice(0, 3) },
    { order_ids: example.ids },
    { order_transaction_id: example.transaction_id },
  ]
  const pairs: OrderListQueries = [
    { status: ['completed'], order_type: ['testkit'] },
    { status: ['completed'], start_date: '2025-03-01', end_date: '2025-08-31' },
    { status: ['ordered'], order_activation_types: ['current'] },
    { status: ['completed'], interpretation: 'abnormal' },
    { is_critical: true, start_date: '2025-12-01' },
    { order_type: ['walk_in_test'], start_date: '2025-03-01' },
    { user_id: example.busy_user_id, status: ['completed'] },
    { status: ['completed'], updated_start_date: '2026-02-01' },
    { status: ['completed'], updated_start_date: '2024-09-01' },
    { patient_name: 'smith', status: ['completed'] },
    { search_input: 'mar', status: ['completed'] },
    { search_input: 'john', start_date: '2026-01-01' },
    { search_input: 'a', start_date: '2026-02-01' },
  ]
  const sorted: OrderListQueries = ORDER_KEYS.flatMap((order_key) =>
    ORDER_DIRECTIONS.flatMap((order_direction) =>
      [{}, { status: ['completed' as const] }, { is_critical: true }].map((query) => ({
        ...query,
        order_key,
        order_direction,
      })),
    ),
  )
  return [...alone, ...pairs, ...sorted].map((query) => ({ name: nameOf(query, example), query }))
}

type OrderListQueries = Partial<OrderListQuery>[]

/** `status=completed`; ids are called by what they are. */
function nameOf(query: Partial<OrderListQuery>, example: Record<string, unknown>): string {
  const words = Object.entries(query).map(([key, value]) => {
    const of = Object.keys(example).find((name) => example[name] === value)
    const text = Array.isArray(value) && value.length > 2 ? `${value.length} values` : value
    return `${key}=${of ?? text}`
  })
  return words.length === 0 ? 'no filter' : words.join(' ')
}
