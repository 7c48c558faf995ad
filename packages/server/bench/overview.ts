import { randomUUID } from 'node:crypto'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { readMigrations } from '@salus/kernel/migrations'
import { type Db, openDatabase } from '@salus/kernel/postgres/database'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import { createScope, type Environment, type Scope } from '@salus/kernel/scope'
import type pg from 'pg'
import { Overviews } from '../src/overview/overview.service.ts'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'
import { median, type Row, thousands } from './measure.ts'

const CALLS = 9
/** Events and attempts of a person in the last month. */
const EVENTS_OF_A_PERSON = 10
const MOST_MS = 500

interface Sizes {
  people: number
  samples: number
}

/**
 * The overview of a large environment: time until the answer, when nothing is kept, and processor
 * time of this process, which has the embedded ClickHouse; that of PostgreSQL is beside it.
 */
export async function benchOverview(
  clickhouse: ClickHouse,
  databaseUrl: string,
  sizes: Sizes,
): Promise<Row[]> {
  const { db, pool, close } = openDatabase({ url: databaseUrl, poolSize: 12 })
  await migratePostgres(pool, readMigrations(`${MIGRATIONS_FOLDER}/postgres`))
  const id = randomUUID()
  await fillPostgres(pool, id, sizes.people)
  await fillClickHouse(clickhouse, id, sizes)
  const scope = scopeOf(db, clickhouse, id)
  const times: number[] = []
  const processor: number[] = []
  for (let call = 0; call < CALLS; call += 1) {
    const [startedAt, used] = [performance.now(), process.cpuUsage()]
    await new Overviews().get(scope)
    times.push(performance.now() - startedAt)
    const { user, system } = process.cpuUsage(used)
    processor.push((user + system) / 1000)
  }
  await close()
  const size = `${thousands(sizes.people)} people, ${thousands(sizes.samples)} samples`
  const line = (job: string, salus: string, goal = '', isMet: boolean | null = null): Row => ({
    ...{ job, salus, goal, isMet },
    ...{ comparedWith: '', other: '', ratio: '' },
  })
  const p50 = median(times)
  return [
    line(`overview of ${size}, p50`, `${p50.toFixed(0)} ms`, `< ${MOST_MS} ms`, p50 < MOST_MS),
    line('processor time of it, without PostgreSQL', `${median(processor).toFixed(0)} ms`),
  ]
}

function scopeOf(db: Db, clickhouse: ClickHouse, id: string): Scope {
  const environment: Environment = {
    ...{ id, kind: 'production', organizationId: id, teamId: id, region: 'us' },
    settings: { event_type_prefixes: null } as Environment['settings'],
    clockOffsetSeconds: 0,
  }
  const log = { info: () => {}, warn: () => {}, error: () => {} } as unknown as Scope['log']
  return createScope({ db, clickhouse, clock: { now: () => new Date() }, log }, environment)
}

/** People with two connections and an order each; one connection in a hundred has an error. */
async function fillPostgres(pool: pg.Pool, id: string, people: number): Promise<void> {
  const parents = [
    `insert into organizations (id, name, created_at) values ('${id}', 'bench', now())`,
    `insert into teams (id, organization_id, name, region, created_at)
      values ('${id}', '${id}', 'bench', 'us', now())`,
    `insert into team_environments (id, team_id, environment, settings)
      values ('${id}', '${id}', 'production', '{}')`,
    `insert into labs (slug, name, first_line_address, city, state, zipcode, collection_methods,
        sample_types)
      values ('${id}', 'Lab', '1 Street', 'City', 'NY', '10001', '{}', '{}')`,
    `insert into lab_accounts (id, lab_id, status, delegated_flow, provider_account_id,
        allowed_billing, created_at)
      select '${id}', id, 'active', 'not_delegated', '1', '{}', now() from labs where slug = '${id}'`,
    `insert into lab_tests (environment_id, id, lab_id, slug, name, description, method,
        sample_type, status, created_at, updated_at)
      select '${id}', '${id}', id, 'test', 'Test', '', 'testkit', 'serum', 'active', now(), now()
      from labs where slug = '${id}'`,
    `insert into users (environment_id, id, client_user_id, created_at, person_changed_at)
      select '${id}', gen_random_uuid(), 'client-' || number, now() - number * interval '1 minute',
        now()
      from generate_series(1, ${people}) as number`,
    `insert into connections (environment_id, user_id, provider, id, status, created_at, updated_at)
      select environment_id, users.id, provider, gen_random_uuid(),
        case when random() < 0.01 then 'error' else 'connected' end, now(), now()
      from users cross join unnest(array['oura', 'fitbit']) as provider
      where environment_id = '${id}'`,
    `insert into order_transactions (environment_id, id, status, created_at, updated_at)
      select environment_id, id, 'completed', now(), now() from users where environment_id = '${id}'`,
    `insert into orders (environment_id, id, user_id, transaction_id, origin, lab_id, lab_test_id,
        lab_account_id, method, marker_ids, details_id, billing_type, last_status, last_status_at,
        created_at, updated_at)
      select users.environment_id, users.id, users.id, users.id, 'initial', labs.id, '${id}', '${id}',
        'testkit', '{}', users.id, 'client_bill',
        case when random() < 0.05 then 'with_customer' else 'completed' end, now(),
        now() - random() * interval '200 days', now()
      from users, labs where users.environment_id = '${id}' and labs.slug = '${id}'`,
    `insert into webhook_endpoints (environment_id, id, url, secret, created_at, updated_at)
      values ('${id}', '${id}', 'https://hooks.example.com', '', now(), now())`,
    `insert into event_history_state (moves, moved_before, moved_attempts_until)
      values (1, 'msg_8', now()) on conflict (singleton) do update
      set moves = 1, moved_attempts_until = now()`,
    'vacuum analyze users, connections, orders',
  ]
  for (const statement of parents) await pool.query(statement)
}

/** Samples of the last hundred days, and events with an attempt each of the last month. */
async function fillClickHouse(
  clickhouse: ClickHouse,
  id: string,
  { people, samples }: Sizes,
): Promise<void> {
  // A person for each number, whose id has the random bits of a UUID in its second half.
  const hash = `lower(leftPad(hex(sipHash64(number % ${people})), 16, '0'))`
  const user = `toUUID(concat('00000000-0000-4000-', substring('89ab', 1 + number % 4, 1),
    substring(${hash}, 2, 3), '-', substring(${hash}, 5, 12)))`
  const environment = `toUUID('${id}')`
  await clickhouse.command(
    `insert into samples (environment_id, user_id, series, started_at, ended_at, provider, value, version)
    select ${environment}, ${user}, ['heartrate', 'steps'][1 + number % 2],
      now64(3) - toIntervalMinute(intDiv(number, ${people}) * ${Math.round((144_000 * people) / samples)}) as at,
      at, 'oura', number % 100, 1
    from numbers(${samples})`,
  )
  const events = people * EVENTS_OF_A_PERSON
  const at = `now64(3) - toIntervalSecond(intDiv(number * 2592000, ${events}))`
  await clickhouse.command(
    `insert into event_history (environment_id, id, user_id, event_type, created_at, move)
    select ${environment}, concat('msg_', hex(sipHash64(number))), ${user},
      'daily.data.steps.created', ${at}, 1
    from numbers(${events}) settings max_partitions_per_insert_block = 100`,
  )
  await clickhouse.command(
    `insert into webhook_attempt_history (environment_id, endpoint_id, attempted_at, event_id, number,
      event_created_at, response_status, move)
    select ${environment}, ${environment}, ${at}, concat('msg_', hex(sipHash64(number))), 1, ${at},
      if(number % 50 = 0, 500, 200), 1
    from numbers(${events}) settings max_partitions_per_insert_block = 100`,
  )
}
