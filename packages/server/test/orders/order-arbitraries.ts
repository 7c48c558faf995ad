import { INTERPRETATIONS } from '@salus/contracts/lab-gateway'
import fc from 'fast-check'
import {
  ACTIVATION_TYPES,
  ORDER_DIRECTIONS,
  ORDER_KEYS,
  type OrderListQuery,
} from '../../../lab/src/orders/listing/orders-list.schema.ts'
import { toSearchedName } from '../../../lab/src/orders/listing/searched-text.ts'

/** Few different values of everything, so that filters meet orders. */

type ValuesOf<T> = { [Key in keyof T]: T[Key] extends fc.Arbitrary<infer Value> ? Value : never }

export const USERS = 4
export const TRANSACTIONS = 3

const days = fc.constantFrom('2026-02-27', '2026-02-27', '2026-02-28', '2026-03-01')
const times = fc.constantFrom('00:00:00.000', '00:00:00.700', '09:30:00.250', '23:59:59.999')
const instants = fc.tuple(days, times).map(([day, time]) => `${day}T${time}Z`)
const dates = instants.map((text) => new Date(text))
const letters = fc.constantFrom(...'aabmn%_\\\'" éΣ👩É')
const names = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('', 'Mary Smith', 'Mark Smith', "Ann O'Brien", '100% A_n\\'),
  },
  { weight: 1, arbitrary: fc.array(letters, { maxLength: 6 }).map((some) => some.join('')) },
)
const searchedNames = names.map(toSearchedName)
const statuses = fc.constantFrom(
  'ordered' as const,
  'completed' as const,
  'completed' as const,
  'lost' as const,
)
const methods = fc.constantFrom('testkit' as const, 'testkit' as const, 'walk_in_test' as const)
const interpretations = fc.constantFrom(null, null, ...INTERPRETATIONS)

const changeable = {
  method: methods,
  last_status: statuses,
  interpretation: interpretations,
  activate_by: fc.constantFrom(null, null, '2026-02-27', '2026-02-28', '2026-03-01'),
  patient_name: searchedNames,
  patient_dob: fc.option(days),
  shipping_recipient_name: searchedNames,
  updated_at: dates,
}
type Changeable = ValuesOf<typeof changeable>
const anyColumn = fc.constantFrom(...(Object.keys(changeable) as (keyof Changeable)[]))

/** One column or two: the more change at a time, the less each has to be heeded by itself. */
const changes = fc
  .record({ all: fc.record(changeable), first: anyColumn, second: anyColumn, isOne: fc.boolean() })
  .map(({ all, first, second, isOne }): Partial<Changeable> => {
    const columns = isOne ? [first] : [first, second]
    return Object.fromEntries(columns.map((column) => [column, all[column]]))
  })

/** An order, but for its id; its user and transaction are numbers among those there are. */
const orders = fc.record({
  ...changeable,
  user: fc.nat(USERS - 1),
  transaction: fc.nat(TRANSACTIONS - 1),
  created_at: dates,
})

/** Something that happens to orders. `which` counts those there are, round and round. */
export const steps = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    orders: fc.array(orders, { minLength: 4, maxLength: 12 }),
  }),
  fc.record({
    kind: fc.constant('update' as const),
    which: fc.nat(),
    change: changes,
  }),
  fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('erase user' as const), user: fc.nat(USERS - 1) }),
)
export type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never

const parts = fc.oneof(
  names,
  fc.array(letters, { minLength: 1, maxLength: 2 }).map((some) => some.join('')),
  fc.constantFrom('ma', 'mar', 'SMITH', 'y s', "ann o'", '% a_', '2026-13-45', '\u0001', '--'),
)
const bounds = fc.oneof(days, instants)

const conditions = {
  search_input: fc.oneof(parts, days),
  start_date: bounds,
  end_date: bounds,
  updated_start_date: bounds,
  updated_end_date: bounds,
  status: fc.array(statuses, { minLength: 1, maxLength: 3 }),
  order_type: fc.array(methods, { minLength: 1, maxLength: 2 }),
  is_critical: fc.boolean(),
  interpretation: fc.constantFrom(...INTERPRETATIONS),
  order_activation_types: fc.oneof(
    fc.constantFrom(...ACTIVATION_TYPES).map((type) => [type]),
    fc.array(fc.constantFrom(...ACTIVATION_TYPES), { maxLength: 2 }),
  ),
  patient_name: parts,
  shipping_recipient_name: parts,
  // Numbers among those there are
  searched_id: fc.nat(),
  user_id: fc.nat(USERS - 1),
  order_ids: fc.array(fc.nat(), { maxLength: 5 }),
  order_transaction_id: fc.nat(TRANSACTIONS - 1),
}
type Conditions = ValuesOf<typeof conditions>

const allKeys = Object.keys(conditions) as (keyof Conditions)[]
const nameKeys = ['search_input', 'patient_name', 'shipping_recipient_name'] as const
const anyKey = fc.constantFrom(...allKeys, ...nameKeys, ...nameKeys)

/** At most three conditions: with more of them hardly an order would be left. */
export const questions = fc
  .record({
    all: fc.record(conditions),
    kept: fc.tuple(anyKey, anyKey, anyKey, fc.constantFrom(0, 1, 1, 1, 2, 2, 3)),
    order_key: fc.constantFrom(...ORDER_KEYS),
    order_direction: fc.constantFrom(...ORDER_DIRECTIONS),
    page: fc.constantFrom(1, 1, 1, 1, 2, 2, 3, 1e15),
    size: fc.constantFrom(1, 3, 10, 10, 100),
  })
  .map(({ all, kept: [first, second, third, count], ...rest }) => {
    const kept = [first, second, third].slice(0, count)
    const some = Object.fromEntries(kept.map((key) => [key, all[key]])) as Partial<Conditions>
    return { ...some, ...rest }
  })
export type Question = typeof questions extends fc.Arbitrary<infer T> ? T : never

/** The query of a question, with ids for its numbers. */
export function toQuery(
  question: Question,
  ids: { orders: string[]; users: string[]; transactions: string[] },
): OrderListQuery {
  const { searched_id, user_id, order_ids, order_transaction_id, ...rest } = question
  const pick = (from: readonly string[], which: number | undefined) =>
    which === undefined ? undefined : from[which % from.length]
  const searched = pick([...ids.orders, ...ids.users], searched_id)
  return {
    ...rest,
    ...(searched === undefined ? {} : { search_input: searched.toUpperCase() }),
    user_id: pick(ids.users, user_id) ?? null,
    order_ids: order_ids?.map((which) => pick(ids.orders, which) ?? ids.users[0] ?? '') ?? null,
    order_transaction_id: pick(ids.transactions, order_transaction_id) ?? null,
  }
}
