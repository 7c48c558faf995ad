import { readMigrations } from '@salus/kernel/migrations'
import { type Db, openDatabase } from '@salus/kernel/postgres/database'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import type { Scope } from '@salus/kernel/scope'
import type pg from 'pg'
import type { RowPage } from '../../fhir/src/reading/served/row-page.ts'
import { SOURCES, type SourceFilter } from '../../fhir/src/reading/served/sources.ts'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'
import { median, percentile, type Row, thousands } from './measure.ts'
import { ENVIRONMENT_ID, seedOrders, withoutIndexes } from './orders-seed.ts'

const DATABASE = 'fhir_lists'
const ROUNDS = 20
const WARM_UP_ROUNDS = 2
/** Rows that a search reads at once. */
const PAGE = 200
const MOST_MILLISECONDS = 100
const YEAR_MS = 365 * 86_400_000

const ORDERS = `
  update orders set sample_id = 'S' || abs(hashtext(id::text)) || left(id::text, 8),
    physician = jsonb_build_object('npi', 1000000000 + abs(hashtext(user_id::text)) % 2000,
      'first_name', 'Grace', 'last_name', 'Okafor');`

/** What the lists of a large team have beside its orders. */
const FILL = `
  insert into labs (slug, name, first_line_address, city, state, zipcode, collection_methods,
      sample_types, is_enabled)
    select 'lab-' || n, 'Lab ' || n, '1 Street', 'City', 'NY', '10001', '{}', '{}', false
    from generate_series(2, 20) as n;
  update users set person_changed_at = timestamptz '2026-03-01' - random() * 730 * interval '1 day';
  insert into user_demographics (environment_id, user_id, info, updated_at)
    select environment_id, id, jsonb_build_object('first_name', 'Ada', 'last_name', 'Moreau',
      'email', 'ada@example.com', 'phone_number', '+15550100199', 'gender', 'female', 'dob',
      '1985-11-02', 'address', jsonb_build_object('first_line', '1 Main Street', 'city', 'Phoenix',
      'state', 'AZ', 'zip', '85003', 'country', 'US')), person_changed_at
    from users;
  insert into results (environment_id, order_id, version, status, interpretation,
      has_missing_results, report, pdf_file, created_at)
    select environment_id, id, version, 'final', 'normal', false,
      jsonb_build_object('specimen_number', 'N1', 'evaluated', jsonb_build_object('results',
        (select jsonb_agg(jsonb_build_object('name', 'Analyte ' || n, 'slug', 'analyte-' || n,
          'result', '95', 'type', 'numeric', 'unit', 'mg/dL', 'timestamp', null, 'notes', null,
          'reference_range', null, 'min_range_value', 70, 'max_range_value', 99, 'interpretation',
          'normal', 'loinc', '2345-7')) from generate_series(1, 5) as n))),
      'file', updated_at + (version - 10) * interval '1 minute'
    from orders cross join lateral generate_series(1, 1 + (random() < 0.1)::int) as version;
  insert into payors (id, payor_code, name, address, search_text, created_at)
    select gen_random_uuid(), 'P' || n, 'Payor ' || n, '{}', 'payor ' || n, now() from generate_series(1, 2000) as n;
  insert into insurance_policies (environment_id, id, user_id, payor_id, member_id, relationship,
      insured, is_primary, created_at)
    select environment_id, gen_random_uuid(), users.id, (select id from payors limit 1), 'M1',
      'Self', '{"first_name":"Ada","last_name":"Moreau"}', true, person_changed_at
    from users;
  insert into devices (environment_id, user_id, id, provider, source_type, device_model, identity,
      created_at)
    select environment_id, id, gen_random_uuid(), 'oura', 'ring', 'Ring', 'ring', person_changed_at
    from users;
  analyze;`

/**
 * Milliseconds to read a page of each type of the FHIR interface, of all patients of a team with
 * 300,000 people, a million orders and 1.1 million results.
 */
export async function benchFhirLists(databaseUrl: string): Promise<Row[]> {
  const maintenance = openDatabase({ url: databaseUrl, poolSize: 1 })
  await maintenance.pool.query(`create database ${DATABASE}`)
  await maintenance.close()
  const url = new URL(databaseUrl)
  url.pathname = `/${DATABASE}`
  const { db, pool, close } = openDatabase({ url: url.href, poolSize: 2 })
  try {
    await migratePostgres(pool, readMigrations(`${MIGRATIONS_FOLDER}/postgres`))
    await seedOrders(pool)
    await fill(pool)
    return await measureLists(db)
  } finally {
    await close()
  }
}

async function fill(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query("set synchronous_commit = off; set maintenance_work_mem = '512MB'")
    await client.query('set session_replication_role = replica')
    await withoutIndexes(client, 'orders', () => client.query(ORDERS))
    await withoutIndexes(client, 'results', () => client.query(FILL))
    await client.query('vacuum analyze')
  } finally {
    client.release(true)
  }
}

async function measureLists(db: Db): Promise<Row[]> {
  const environment = { id: ENVIRONMENT_ID, kind: 'production' }
  const scope = { db, environment } as unknown as Scope
  const rows: Row[] = []
  for (const [type, [source]] of Object.entries(SOURCES)) {
    const first: RowPage = { order: 'newest', after: null, limit: PAGE }
    const page = await source.list(scope, {}, first)
    const last = page.at(-1)
    if (last === undefined) continue
    const cases: [string, SourceFilter, RowPage][] = [
      ['first page', {}, first],
      ['a page in the middle', {}, { ...first, after: { at: last.at - YEAR_MS, id: last.id } }],
      ['by an id', { ids: [last.resources[0]?.id ?? last.id] }, { ...first, order: 'id' }],
    ]
    for (const [name, filter, asked] of cases) {
      const times: number[] = []
      for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
        const startedAt = performance.now()
        await source.list(scope, filter, asked)
        if (round >= WARM_UP_ROUNDS) times.push(performance.now() - startedAt)
      }
      rows.push(toRow(`FHIR ${type} of 300,000 people, ${name}, p95`, times))
    }
  }
  return rows
}

function toRow(job: string, times: number[]): Row {
  const p95 = percentile(times, 0.95)
  return {
    job,
    salus: `${p95.toFixed(1)} ms (p50 ${median(times).toFixed(1)})`,
    comparedWith: '',
    other: '',
    ratio: '',
    goal: `< ${thousands(MOST_MILLISECONDS)} ms`,
    isMet: p95 < MOST_MILLISECONDS,
  }
}
