import { join } from 'node:path'
import { readMigrations } from '@salus/kernel/migrations'
import { type Db, openDatabase } from '@salus/kernel/postgres/database'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import { findMarkers } from '../../lab/src/catalog/markers/marker-search.ts'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'
import { createClient } from './client.ts'
import { storeBigCatalog } from './marker-search-catalog.ts'
import { median, percentile } from './measure.ts'
import { startServer } from './server-process.ts'

const MARKERS = 100_000
const ROUNDS = 15

/** What people type into a search box, by what it costs. */
const TEXTS = {
  usual: ['glucose', 'lipid panel', 'vitamin d', 'a1c', 'thyroid', 'ferritin serum', '1012345'],
  mistyped: ['glucse', 'hemoglobn', 'thyriod', 'ferritn', 'testostrone', 'cholestrol'],
  broad: ['panel', 'antibody', 'a', 'se'],
  all: [''],
}
type TextKind = keyof typeof TEXTS

interface Times {
  p50: number
  p95: number
}

export interface MarkerSearchResult {
  /** Milliseconds of the queries that find a page of 50 and its total. */
  sql: Record<TextKind, Times>
  /** Milliseconds of GET /v3/lab_tests/markers, size 50. */
  http: Record<TextKind, Times>
  /** Milliseconds of POST /v3/compendium/search, crosswalk. */
  crosswalk: Times
}

const timesOf = (values: number[]): Times => ({
  p50: median(values),
  p95: percentile(values, 0.95),
})

/** Searching 100,000 markers: the queries alone, and over HTTP. */
export async function benchMarkerSearch(
  directory: string,
  databaseUrl: string,
): Promise<MarkerSearchResult> {
  const admin = openDatabase({ url: databaseUrl, poolSize: 1 })
  await admin.pool.query('create database markers')
  await admin.close()
  const url = new URL(databaseUrl)
  url.pathname = '/markers'
  const { db, pool, close } = openDatabase({ url: url.href, poolSize: 4 })
  try {
    await migratePostgres(pool, readMigrations(join(MIGRATIONS_FOLDER, 'postgres')))
    await storeBigCatalog(pool, MARKERS)
    const sql = await measureQueries(db)
    return { sql, ...(await measureHttp(join(directory, 'catalog'), url.href)) }
  } finally {
    await close()
  }
}

async function measure(texts: readonly string[], read: (text: string) => Promise<unknown>) {
  const milliseconds: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (const text of texts) {
      const startedAt = performance.now()
      await read(text)
      // The first round fills caches.
      if (round > 0) milliseconds.push(performance.now() - startedAt)
    }
  }
  return timesOf(milliseconds)
}

async function measureKinds(
  read: (text: string) => Promise<unknown>,
): Promise<Record<TextKind, Times>> {
  return {
    usual: await measure(TEXTS.usual, read),
    mistyped: await measure(TEXTS.mistyped, read),
    broad: await measure(TEXTS.broad, read),
    all: await measure(TEXTS.all, read),
  }
}

async function measureQueries(db: Db): Promise<Record<TextKind, Times>> {
  const labs = await db.selectFrom('labs').select('id').execute()
  const filter = { labIds: labs.map(({ id }) => id), offeredProviderIds: null }
  return measureKinds(async (text) => {
    const { total } = await findMarkers(db, filter, text, { page: 1, size: 50 })
    if (total === 0) throw new Error(`nothing is found for ${text}`)
  })
}

async function measureHttp(directory: string, databaseUrl: string) {
  const server = await startServer(directory, { DATABASE_URL: databaseUrl })
  const client = createClient(server, 1)
  try {
    const http = await measureKinds((text) =>
      client.call('GET', `/v3/lab_tests/markers?name=${encodeURIComponent(text)}`),
    )
    const crosswalk = await measure(TEXTS.usual, (query) => {
      const body = JSON.stringify({ mode: 'crosswalk', query, limit: 3 })
      return client.call('POST', '/v3/compendium/search', body)
    })
    return { http, crosswalk }
  } finally {
    await client.close()
    await server.stop()
  }
}
