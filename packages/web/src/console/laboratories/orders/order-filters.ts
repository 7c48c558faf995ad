import type { components } from '../../api/openapi.generated.d.ts'

export type OrderFilters = components['schemas']['OrderFilters']

/**
 * The filters of the list of orders as its address has them: lists are joined by commas. Search
 * words are left out, so that an address names no person.
 */
export interface OrdersView extends Record<string, string | undefined> {
  status: string | undefined
  order_type: string | undefined
  interpretation: string | undefined
  is_critical: string | undefined
  order_activation_types: string | undefined
  start_date: string | undefined
  end_date: string | undefined
  updated_start_date: string | undefined
  updated_end_date: string | undefined
  created_within_days: string | undefined
  user_id: string | undefined
  order_transaction_id: string | undefined
  order_key: string | undefined
  order_direction: string | undefined
  /** The chosen saved view. */
  view: string | undefined
}

export const NO_FILTERS: OrdersView = {
  status: undefined,
  order_type: undefined,
  interpretation: undefined,
  is_critical: undefined,
  order_activation_types: undefined,
  start_date: undefined,
  end_date: undefined,
  updated_start_date: undefined,
  updated_end_date: undefined,
  created_within_days: undefined,
  user_id: undefined,
  order_transaction_id: undefined,
  order_key: undefined,
  order_direction: undefined,
  view: undefined,
}

export const LIST_FILTERS = ['status', 'order_type', 'order_activation_types'] as const

export const listOf = (text: string | undefined): string[] => (text ? text.split(',') : [])

/** Returns the filters of an address, as a saved view stores them. */
export function toFilters(view: OrdersView): OrderFilters {
  const { view: _, ...named } = view
  const entries = Object.entries(named).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || value === '') return []
    if ((LIST_FILTERS as readonly string[]).includes(name)) return [[name, listOf(value)]]
    if (name === 'is_critical') return [[name, value === 'true']]
    if (name === 'created_within_days') return [[name, Number(value)]]
    return [[name, value]]
  })
  return Object.fromEntries(entries) as OrderFilters
}

/** Returns the address of a saved view. */
export function viewFromFilters(filters: Record<string, unknown>): OrdersView {
  const texts = Object.entries(filters).map(([name, value]) => [name, String(value)])
  return { ...NO_FILTERS, ...Object.fromEntries(texts) }
}

/**
 * Returns the query of the list. Days that include today begin in UTC, in which the list compares
 * dates.
 */
export function toQuery({ created_within_days: days, ...filters }: OrderFilters, now = new Date()) {
  if (days === undefined) return filters
  const from = new Date(now.getTime() - (days - 1) * 86_400_000).toISOString().slice(0, 10)
  return { ...filters, start_date: from }
}

/** Counts the active filters; sorting is not one. */
export function countFilters({ order_key, order_direction, ...filters }: OrderFilters): number {
  return Object.keys(filters).length
}
