import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findZipCode } from '@salus/kernel/geography/zip-codes'
import { type Db, openDatabase } from '@salus/kernel/postgres/database'
import { parse } from 'csv-parse/sync'
import type pg from 'pg'
import { listNearestCenters } from '../../lab/src/service-centers/service-centers.global.repository.ts'
import { createClient } from './client.ts'
import { median, percentile, type Row, secondsOf, times } from './measure.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const CENTERS = 25_000
const SEARCHES = 400
const RADIUSES = [10, 25, 100]
const SAMPLES = new URL('../../lab/data/service-centers/sample-sites.csv', import.meta.url)

/** The search as the extension earthdistance has it, over its own index. */
const BARE_SEARCH = `
  select *, earth_distance(ll_to_earth($2, $3), ll_to_earth(latitude, longitude)) as meters
  from bare_centers
  where lab_id = $1 and is_active
    and earth_box(ll_to_earth($2, $3), $4 * 1609.344) @> ll_to_earth(latitude, longitude)
    and earth_distance(ll_to_earth($2, $3), ll_to_earth(latitude, longitude)) <= $4 * 1609.344
  order by meters, site_code limit 30`

interface Search {
  zip: string
  lng: number
  lat: number
  radiusMiles: number
  labId: number
}

/** Loading a list of 25,000 service centers, and searching them. */
export async function benchServiceCenters(
  directory: string,
  pool: pg.Pool,
  databaseUrl: string,
): Promise<Row[]> {
  await pool.query('create database centers')
  const url = new URL(databaseUrl)
  url.pathname = '/centers'
  const server = await startServer(join(directory, 'centers'), { DATABASE_URL: url.href })
  const bare = openDatabase({ url: url.href, poolSize: 2 })
  try {
    const samples: Record<string, string>[] = parse(readFileSync(SAMPLES, 'utf8'), {
      columns: true,
    })
    const csv = makeList(samples)
    const loadSeconds = await secondsOf(() => load(server, csv))
    const againSeconds = await secondsOf(() => load(server, csv))
    await prepareBare(bare.pool)
    const again = `the same list again ${againSeconds.toFixed(1)} s`
    const loaded = { job: `load a list of 25,000 service centers (${again})` }
    const none = { comparedWith: '', other: '', ratio: '', goal: '', isMet: null }
    return [
      { ...none, ...loaded, salus: `${loadSeconds.toFixed(1)} s` },
      ...(await measureSearches(server, bare.db, bare.pool, samples)),
    ]
  } finally {
    await bare.close()
    await server.stop()
  }
}

/** Sites near those of the sample, a few miles off. */
function makeList(samples: readonly Record<string, string>[]): string {
  const rows = Array.from({ length: CENTERS }, (_, index) => {
    const site = samples[index % samples.length] ?? {}
    const shift = (degree: string | undefined, step: number) =>
      (Number(degree) + (((index * step) % 101) - 50) / 200).toFixed(5)
    const { lab, city, state, zip_code: zip, latitude, longitude, time_zone: zone } = site
    const position = `${shift(latitude, 37)},${shift(longitude, 53)},${zone}`
    return `${lab},C${index},Center ${index},${index} Main St,${city},${state},${zip},${position},stat`
  })
  const header =
    'lab,site_code,name,first_line,city,state,zip_code,latitude,longitude,time_zone,capabilities'
  return [header, ...rows].join('\n')
}

async function load(server: ServerProcess, csv: string): Promise<void> {
  const response = await fetch(`${server.url}/v1/service_centers`, {
    method: 'PUT',
    headers: {
      'x-management-key': server.keys.managementKey,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ csv }),
  })
  if (!response.ok) throw new Error(await response.text())
}

async function prepareBare(pool: pg.Pool): Promise<void> {
  await pool.query('create extension cube; create extension earthdistance')
  await pool.query('create table bare_centers as select * from service_centers')
  await pool.query(
    'create index on bare_centers using gist (ll_to_earth(latitude, longitude)) where is_active',
  )
  await pool.query('vacuum analyze')
}

/** The search alone, by the extension, and over HTTP, in turns. */
async function measureSearches(
  server: ServerProcess,
  db: Db,
  pool: pg.Pool,
  samples: readonly Record<string, string>[],
): Promise<Row[]> {
  const labId = Number((await pool.query("select id from labs where slug = 'quest'")).rows[0].id)
  const client = createClient(server, 1)
  const rows: Row[] = []
  for (const radiusMiles of RADIUSES) {
    const took = { http: [] as number[], sql: [] as number[], bare: [] as number[] }
    for (let index = -20; index < SEARCHES; index++) {
      const { zip_code: zip = '' } = samples[((index + 20) * 37) % samples.length] ?? {}
      const found = await findZipCode(zip)
      const point = { lng: found?.longitude ?? 0, lat: found?.latitude ?? 0 }
      const search: Search = { zip, ...point, radiusMiles, labId }
      const measured = await measureSearch(client, db, pool, search)
      // The first ones fill caches.
      if (index < 0) continue
      for (const name of ['http', 'sql', 'bare'] as const) took[name].push(measured[name])
    }
    rows.push(...rowsOf(radiusMiles, took))
  }
  await client.close()
  return rows
}

async function measureSearch(
  client: ReturnType<typeof createClient>,
  db: Db,
  pool: pg.Pool,
  { zip, lng, lat, radiusMiles, labId }: Search,
): Promise<Record<'http' | 'sql' | 'bare', number>> {
  const millisecondsOf = async (work: () => Promise<unknown>) => (await secondsOf(work)) * 1000
  const filter = { capabilities: [], businessUnits: null }
  const search = { labId, center: { lng, lat }, radiusMiles, ...filter }
  return {
    http: await millisecondsOf(() =>
      client.call(
        'GET',
        `/v3/order/psc/info?zip_code=${zip}&lab_id=${labId}&radius=${radiusMiles}`,
      ),
    ),
    sql: await millisecondsOf(() => listNearestCenters(db, 'sandbox', search, 30)),
    bare: await millisecondsOf(() =>
      pool.query({ name: 'bare', text: BARE_SEARCH, values: [labId, lat, lng, radiusMiles] }),
    ),
  }
}

function rowsOf(radiusMiles: number, took: Record<'http' | 'sql' | 'bare', number[]>): Row[] {
  const show = (values: number[]) =>
    `${percentile(values, 0.95).toFixed(1)} ms (p50 ${median(values).toFixed(1)})`
  const job = `centers within ${radiusMiles} miles, of 29,810`
  return [
    {
      job: `${job}, query, p95`,
      salus: show(took.sql),
      comparedWith: 'earthdistance and cube, same rows',
      other: show(took.bare),
      ratio: times(median(took.sql) / median(took.bare)),
      goal: '< 5 ms',
      isMet: percentile(took.sql, 0.95) < 5,
    },
    {
      job: `${job}, over HTTP, p95`,
      salus: show(took.http),
      comparedWith: 'its query alone',
      other: show(took.sql),
      ratio: times(median(took.http) / median(took.sql)),
      goal: '< 10 ms',
      isMet: percentile(took.http, 0.95) < 10,
    },
  ]
}
