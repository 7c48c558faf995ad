import type pg from 'pg'
import { FIRST_NAMES, LAST_NAMES, withoutIndexes, words } from '../orders-seed.ts'

export const ORDERS_OF_A_PERSON = 100
/** Events and audit rows of the template are repeated so often for each person. */
const REPEATS = 10

/** Whose rows, by number. */
interface Numbers {
  from: number
  to: number
}

const PEOPLE = `
  create table if not exists growth_people (
    number integer primary key, id uuid not null, first_name text not null, last_name text not null);`

/** Surnames end with a number of the person, but for one in five, as rare names do. */
const ADD_PEOPLE = `
  with names as (
    select (select array_agg(initcap(name)) from ${words(FIRST_NAMES)} as name) as first,
      (select array_agg(initcap(name)) from ${words(LAST_NAMES)} as name) as last
  )
  insert into growth_people
  select number, uuidv7(), first[1 + number % cardinality(first)],
    last[1 + number * 7 % cardinality(last)]
      || case when number % 5 = 0 then '' else '-' || substr(md5(number::text), 1, 5) end
  from generate_series($1::int, $2::int) as number, names`

/**
 * Adds people with all rows that the template has, as a superuser. Copies are cheaper than requests
 * by a factor of a hundred, and have the form that the service itself wrote.
 */
export async function fillPostgres(
  pool: pg.Pool,
  templateId: string,
  numbers: Numbers,
): Promise<{ environmentId: string; ids: string[] }> {
  const client = await pool.connect()
  try {
    await client.query("set synchronous_commit = off; set maintenance_work_mem = '512MB'")
    await client.query("set work_mem = '256MB'")
    // Foreign keys and triggers would look at every row by itself.
    await client.query('set session_replication_role = replica')
    const copy = await addPeople(client, ADD_PEOPLE, templateId, numbers)
    await withoutIndexes(client, 'events', () => copyEvents(client, copy, numbers))
    await withoutIndexes(client, 'orders', () => copyOrders(copy, templateId))
    await client.query('create temporary sequence next_audit_row')
    await client.query("select setval('next_audit_row', max(sequence)) from audit_rows")
    await withoutIndexes(client, 'audit_rows', () =>
      // Without k a row of each repetition would be the same one.
      copy('audit_rows', `'user_id', p.id, 'sequence', nextval('next_audit_row') + 0 * k`, {
        repeats: REPEATS,
      }),
    )
    // The chain goes on behind the copies, which no check of it would accept.
    await client.query(`update audit_chains set sequence = last.sequence
      from (select chain_id, max(sequence) as sequence from audit_rows group by 1) last
      where id = last.chain_id`)
    await client.query('vacuum analyze')
    const { rows } = await client.query<{ id: string; environment_id: string }>(
      `select id, environment_id from growth_people join users using (id)
      where number between $1 and $2 order by number`,
      [numbers.from, numbers.to],
    )
    return { environmentId: rows[0]?.environment_id ?? '', ids: rows.map(({ id }) => id) }
  } finally {
    client.release(true)
  }
}

/**
 * Adds people by a statement that takes their numbers, and what is stored of them in PostgreSQL
 * besides events, orders and the audit log; returns how more is copied.
 */
export async function addPeople(
  client: pg.PoolClient,
  statement: string,
  templateId: string,
  numbers: Numbers,
): Promise<CopyRows> {
  await client.query(PEOPLE)
  await client.query(statement, [numbers.from, numbers.to])
  const copy: CopyRows = (table, changes, more = {}) =>
    copyRows(client, { table, changes, owner: 'user_id', ...more }, templateId, numbers)
  await copyPeople(copy)
  return copy
}

/** Someone to ask about. */
export interface FilledPerson {
  id: string
  /** Rare, or one of the usual surnames. */
  last_name: string
}

/** Some of all people so far, in no order. */
export async function somePeople(pool: pg.Pool): Promise<FilledPerson[]> {
  const { rows } = await pool.query<FilledPerson>(
    `select id, last_name from growth_people join users using (id)
    where deleted_at is null order by md5(number::text) limit 500`,
  )
  return rows
}

interface Copy {
  table: string
  /** Keys and values, of the row `t` of the template, the person `p` and the repetition `k`. */
  changes: string
  /** Column with the id of the template. */
  owner: string
  /** Which rows of the template, instead of those of its owner. */
  where: string
  repeats: number
  /** Which repetitions, all by default. */
  only: string
}

type CopyRows = (table: string, changes: string, more?: Partial<Copy>) => Promise<void>

async function copyRows(
  client: pg.PoolClient,
  { table, changes, owner = 'user_id', where, repeats = 1, only = 'true' }: Partial<Copy>,
  templateId: string,
  { from, to }: Numbers,
): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(attname, ', ') as columns from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attidentity = ''`,
    [table],
  )
  const columns = rows[0]?.columns ?? ''
  await client.query(
    `insert into ${table} (${columns})
    select ${columns.replaceAll(/\w+/g, 'r.$&')}
    from generate_series(1, ${repeats}) as k
    cross join (select * from growth_people where number between ${from} and ${to}) as p
    join ${table} as t on ${where ?? `t.${owner} = '${templateId}'`}
    cross join lateral jsonb_populate_record(t, jsonb_build_object(${changes})) as r
    where ${only}
    order by k, p.number`,
  )
}

async function copyPeople(copy: CopyRows): Promise<void> {
  await copy('users', `'id', p.id, 'client_user_id', 'client-' || p.number`, { owner: 'id' })
  await copy(
    'user_demographics',
    `'user_id', p.id, 'info', t.info || jsonb_build_object('first_name', p.first_name, 'last_name',
      p.last_name, 'email', lower(p.first_name || '.' || p.last_name || p.number || '@example.com'))`,
  )
  await copy('connections', `'user_id', p.id, 'id', gen_random_uuid()`)
  await copy('devices', `'user_id', p.id, 'id', gen_random_uuid()`)
  await copy('resource_statistics', `'user_id', p.id`)
  await copy('historical_pulls', `'user_id', p.id`)
}

/** The time of a ULID, by which lists are sorted and ranges of time are found. */
export const eventTimeOf = (at: string): string => `(
    select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
      1 + (((extract(epoch from ${at}) * 1000)::bigint >> (5 * digit)) & 31)::int, 1), ''
      order by digit desc)
    from generate_series(0, 9) as digit
  )`
const eventIdAt = (at: string): string =>
  `'msg_' || ${eventTimeOf(at)} || upper(substr(md5(p.number || ' ' || k || ' ' || t.id), 1, 16))`

/** Events a few seconds apart in the last three days, each delivered to the endpoint at once. */
async function copyEvents(client: pg.PoolClient, copy: CopyRows, { from, to }: Numbers) {
  const at = `now() - interval '3 days' * (1 - (k - 1 + p.number::float8 / ${to}) / ${REPEATS})`
  await copy('events', `'user_id', p.id, 'id', ${eventIdAt(at)}, 'created_at', ${at}`, {
    repeats: REPEATS,
  })
  for (const table of ['webhook_deliveries', 'webhook_attempts']) {
    const changes =
      table === 'webhook_deliveries'
        ? `'event_id', e.id, 'sequence', e.sequence, 'user_id', e.user_id, 'updated_at', e.created_at`
        : `'event_id', e.id, 'attempted_at', e.created_at`
    await client.query(
      `insert into ${table}
      select r.* from events as e
      join growth_people as p on p.id = e.user_id and p.number between ${from} and ${to}
      join ${table} as t on t.event_id = (select min(event_id) from ${table})
      cross join lateral jsonb_populate_record(t, jsonb_build_object(${changes})) as r`,
    )
  }
}

const ORDER_ID = `md5('order ' || p.number || ' ' || k)::uuid`
const TRANSACTION_ID = `md5('transaction ' || p.number || ' ' || k)::uuid`
/** In two years, more of them lately. */
const MADE_AT = `now() - interval '730 days' * power(1 - k::float8 / ${ORDERS_OF_A_PERSON}, 1.25)
  - p.number % 1440 * interval '1 minute'`
const STATUS = `case when k % 20 = 0 then 'ordered' when k % 20 = 1 then 'cancelled'
  when k % 20 = 2 then 'requisition_created' when k % 100 = 3 then 'sample_error'
  else 'completed' end`

/** A result has 16 kB: all would be most of the database. */
const WITH_RESULT = `${STATUS} = 'completed' and k % 8 = 4`

async function copyOrders(copy: CopyRows, templateId: string): Promise<void> {
  const repeats = ORDERS_OF_A_PERSON
  const ofOrder = `t.order_id = (select id from orders where user_id = '${templateId}' limit 1)`
  await copy('order_events', `'order_id', ${ORDER_ID}, 'created_at', ${MADE_AT}`, {
    ...{ repeats, where: ofOrder },
  })
  await copy(
    'results',
    `'order_id', ${ORDER_ID}, 'created_at', ${MADE_AT}, 'pdf_file', null, 'lab_message_id', null`,
    { repeats, where: ofOrder, only: WITH_RESULT },
  )
  await copy(
    'order_transactions',
    `'id', ${TRANSACTION_ID}, 'created_at', ${MADE_AT}, 'updated_at', ${MADE_AT}`,
    {
      ...{ repeats },
      where: `t.id = (select transaction_id from orders where user_id = '${templateId}' limit 1)`,
    },
  )
  await copy(
    'orders',
    `'user_id', p.id, 'id', ${ORDER_ID}, 'transaction_id', ${TRANSACTION_ID},
    'details_id', gen_random_uuid(), 'sample_id', null,
    'patient_name', p.first_name || ' ' || p.last_name,
    'shipping_recipient_name', p.first_name || ' ' || p.last_name,
    'created_at', ${MADE_AT}, 'updated_at', ${MADE_AT}, 'last_status_at', ${MADE_AT},
    'last_status', ${STATUS}, 'interpretation',
    case when ${STATUS} = 'completed' then case when k % 7 = 0 then 'abnormal' else 'normal' end end`,
    { repeats },
  )
}
