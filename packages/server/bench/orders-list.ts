import { readMigrations } from '@salus/kernel/migrations'
import { type Db, openDatabase } from '@salus/kernel/postgres/database'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import { findOrderPage } from '../../lab/src/orders/listing/orders-list.repository.ts'
import type { OrderListQuery } from '../../lab/src/orders/listing/orders-list.schema.ts'
import { toOrderFilter } from '../../lab/src/orders/listing/orders-list.service.ts'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'
import { rowScope } from '../test/scope.ts'
import { median, percentile } from './measure.ts'
import { listCases } from './orders-list-cases.ts'
import { measureWrites, type WriteCost } from './orders-list-writes.ts'
import { ENVIRONMENT_ID, seedOrders, TODAY } from './orders-seed.ts'

const ROUNDS = 10
const WARM_UP_ROUNDS = 2
/** Its last order is the 10,000th, where totals of short names end. */
const DEEP_PAGE = 200
const SIZE = 50
export const MOST_MILLISECONDS = 200

export interface ListedPage {
  name: string
  total: number
  page: number
  p50: number
  p95: number
}

const DATABASE = 'orders_list'

export interface OrderListResult {
  pages: ListedPage[]
  /** What the indexes of the list add to a write. */
  writes: { listed: WriteCost; bare: WriteCost }
}

/** Milliseconds to find the ids of a page and the total, on a million orders of one team. */
export async function benchOrderList(databaseUrl: string): Promise<OrderListResult> {
  const maintenance = openDatabase({ url: databaseUrl, poolSize: 1 })
  await maintenance.pool.query(`create database ${DATABASE}`)
  await maintenance.close()
  const url = new URL(databaseUrl)
  url.pathname = `/${DATABASE}`
  const { db, pool, close } = openDatabase({ url: url.href, poolSize: 2 })
  try {
    await migratePostgres(pool, readMigrations(`${MIGRATIONS_FOLDER}/postgres`))
    await seedOrders(pool)
    const pages = await measureOrderList(db)
    return { pages, writes: await measureWrites(pool) }
  } finally {
    await close()
  }
}

/** As benchOrderList, on a database that is filled already. */
export async function measureOrderList(
  db: Db,
  isWanted: (name: string) => boolean = () => true,
): Promise<ListedPage[]> {
  const results: ListedPage[] = []
  for (const { name, query } of await listCases(db)) {
    if (!isWanted(name)) continue
    const first = await measurePage(db, name, query, 1)
    results.push(first)
    const page = Math.min(DEEP_PAGE, Math.ceil(first.total / SIZE / 2))
    if (page > 1) results.push(await measurePage(db, name, query, page))
  }
  return results
}

async function measurePage(
  db: Db,
  name: string,
  conditions: Partial<OrderListQuery>,
  page: number,
): Promise<ListedPage> {
  const filter = toOrderFilter({ ...conditions, page, size: SIZE })
  const times: number[] = []
  let total = 0
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const startedAt = performance.now()
    ;({ total } = await findOrderPage(rowScope(db, { id: ENVIRONMENT_ID }), filter, TODAY))
    if (round >= WARM_UP_ROUNDS) times.push(performance.now() - startedAt)
  }
  return { name, total, page, p50: median(times), p95: percentile(times, 0.95) }
}
