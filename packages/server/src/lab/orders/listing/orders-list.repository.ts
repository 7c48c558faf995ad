import { sql } from 'kysely'
import type { Db } from '../../../platform/postgres/database.ts'
import { findCountedPage, findPageByLetters } from './counted-page.repository.ts'
import {
  countMatchingOrders,
  gatherPage,
  gatherPageByNames,
  type OrderPage,
  walkToPage,
} from './listed-page.repository.ts'
import {
  countByLetters,
  countNamedOrders,
  countOrders,
  isCountedByLetters,
} from './order-counts.repository.ts'
import type { OrderFilter } from './orders-list.filter.ts'

/** Orders that are gathered and sorted for a page; for more there are other ways. */
const MOST_GATHERED = 100_000
/** The other way of these, along the order of names, is a short one. */
const MOST_GATHERED_TO_SORT_BY_NAME = 20_000

/** Microseconds that ways take, as measured on a million orders. */
const COST = {
  /** To find the orders of a pair of names */
  pair: 10,
  /** To take an order of them and sort it in */
  gathered: 0.6,
  /** To pass an order on the way along a sort key */
  passed: 0.18,
}
/** How many orders are passed for one that matches is only known to be more in a larger team. */
const SUPPOSED_ORDERS = 1_000_000

/**
 * The ids of one page of orders, in order, and how many orders match on all pages. Both are of one
 * moment, or as the caller's transaction sees them. Which way is the fastest depends on the filter
 * (decision 12).
 * @param options.today of the environment, UTC
 */
export function findOrderPage(
  db: Db,
  environmentId: string,
  filter: OrderFilter,
  { today }: { today: string },
): Promise<OrderPage> {
  if (filter.interpretations?.length === 0) return Promise.resolve({ ids: [], total: 0 })
  if (db.isTransaction) return findPage(db, environmentId, filter, today)
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      await preparePlanner(transaction)
      return findPage(transaction, environmentId, filter, today)
    })
}

/**
 * Every statement here has an index to go by. Left alone, the planner mistrusts indexes of tables
 * that were filled a moment ago, and weighs a read from memory as one from a turning disk.
 */
async function preparePlanner(transaction: Db): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true),
    set_config('random_page_cost', '1.1', true), set_config('work_mem', '64MB', true),
    set_config('jit', 'off', true)`.execute(transaction)
}

type Ask = [db: Db, environmentId: string, filter: OrderFilter, today: string]

function findPage(...ask: Ask): Promise<OrderPage> {
  const [, , filter] = ask
  if (isAboutFew(filter)) return gatherPage(...ask)
  if (filter.names.length === 0) return findByState(...ask)
  return isAboutNamesAlone(filter) ? findByNames(...ask) : findMixed(...ask)
}

const isOpen = ({ from, before }: OrderFilter['created']): boolean =>
  from === null && before === null

/** Conditions that name orders or people, or the few that wait for their day. */
function isAboutFew(filter: OrderFilter): boolean {
  const { userId, transactionId, orderIds, orderOrUserId, birthDate, activation } = filter
  const named = [userId, transactionId, orderIds, orderOrUserId, birthDate]
  return activation === 'scheduled' || named.some((value) => value !== null)
}

function isAboutNamesAlone(filter: OrderFilter): boolean {
  const { statuses, methods, interpretations, activation, created, updated } = filter
  const others = [statuses, methods, interpretations, activation]
  return isOpen(created) && isOpen(updated) && others.every((value) => value === null)
}

async function findByState(...ask: Ask): Promise<OrderPage> {
  const [, , filter] = ask
  const { created, updated, key } = filter
  if (!isOpen(created) && !isOpen(updated)) return findMixed(...ask)
  if (isOpen(updated) && key !== 'patient_name') return findCountedPage(...ask)
  const total = await countState(...ask)
  const most = isOpen(updated) ? MOST_GATHERED_TO_SORT_BY_NAME : MOST_GATHERED
  if (total <= most || key === 'last_status') return gatherPage(...ask)
  return walkToPage(...ask, total)
}

function countState(...ask: Ask): Promise<number> {
  const [db, environmentId, filter, today] = ask
  const by = isOpen(filter.updated) ? 'created_at' : 'updated_at'
  return countOrders(db, environmentId, filter, by, today)
}

async function findByNames(...ask: Ask): Promise<OrderPage> {
  const [db, environmentId, filter] = ask
  const [name, second] = filter.names
  if (name && !second && isCountedByLetters(name) && filter.key === 'created_at') {
    return findPageByLetters(db, environmentId, filter, name)
  }
  const { total, pairs } = await countNames(...ask)
  if (filter.key === 'last_status' || isGatheringCheaper(filter, total, pairs)) {
    return gatherPageByNames(...ask)
  }
  return walkToPage(...ask, total)
}

function isGatheringCheaper({ offset, size }: OrderFilter, total: number, pairs: number): boolean {
  const gathering = pairs * COST.pair + total * COST.gathered
  const matchesOnTheWay = Math.max(0, Math.min(offset, total - offset)) + size
  return gathering < matchesOnTheWay * (SUPPOSED_ORDERS / total) * COST.passed
}

/** Orders by names alone. Pairs of names are not known of orders that are counted by letters. */
async function countNames(...ask: Ask): Promise<{ total: number; pairs: number }> {
  const [db, environmentId, { names }] = ask
  const [name, second] = names
  if (!name || second || !isCountedByLetters(name)) {
    return countNamedOrders(db, environmentId, names)
  }
  const total = await countByLetters(db, environmentId, name)
  return { total, pairs: total }
}

/** Conditions that no count holds together: the one that fewest orders pass is gone by. */
async function findMixed(...ask: Ask): Promise<OrderPage> {
  const [, , filter] = ask
  const inState = await countFewestInState(...ask)
  const named = filter.names.length > 0 ? (await countNames(...ask)).total : inState
  if (named < inState && named <= MOST_GATHERED) return gatherPageByNames(...ask)
  if (inState <= MOST_GATHERED || filter.key === 'last_status') return gatherPage(...ask)
  return walkToPage(...ask, await countMatchingOrders(...ask))
}

/** Orders of the states in the range of creation or in that of updates, whichever are fewer. */
async function countFewestInState(...ask: Ask): Promise<number> {
  const [db, environmentId, filter, today] = ask
  const counts: number[] = []
  for (const by of ['created_at', 'updated_at'] as const) {
    const range = by === 'created_at' ? filter.created : filter.updated
    const other = by === 'created_at' ? filter.updated : filter.created
    // An open range says nothing that the other does not.
    if (isOpen(range) && (by === 'updated_at' || !isOpen(other))) continue
    counts.push(await countOrders(db, environmentId, filter, by, today))
  }
  return Math.min(...counts)
}
