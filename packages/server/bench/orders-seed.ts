import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

/** A team with a million orders of 300,000 patients in two years, and two other environments. */

export const ORDERS_OF_TEAM = 1_000_000
const ORDERS_OF_OTHERS = 200_000
export const ENVIRONMENT_ID = '00000000-0000-4000-8000-0000000000e1'
/** The day that the orders were made up to. */
export const TODAY = '2026-03-01'

export const FIRST_NAMES =
  'james mary michael patricia robert jennifer john linda david elizabeth william barbara richard ' +
  'susan joseph jessica thomas karen christopher sarah charles lisa daniel nancy matthew sandra ' +
  'anthony ashley mark emily steven kimberly donald betty andrew margaret joshua donna paul ' +
  'michelle kenneth carol kevin amanda brian melissa timothy deborah ronald stephanie jason rebecca ' +
  'george sharon edward laura jeffrey cynthia ryan amy jacob kathleen nicholas angela gary dorothy ' +
  'eric shirley jonathan emma stephen brenda larry nicole justin pamela scott samantha brandon anna ' +
  'benjamin katherine samuel christine gregory debra alexander rachel patrick olivia frank carolyn ' +
  'jack maria raymond janet dennis heather tyler diane aaron catherine jose julie nathan victoria ' +
  'henry helen zachary joyce douglas lauren peter kelly adam christina noah joan ethan ava josé björn'
export const LAST_NAMES =
  "smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez o'brien " +
  'gonzalez wilson anderson thomas taylor moore jackson martin lee perez thompson white harris ' +
  'sanchez clark ramirez lewis robinson walker young allen king wright scott torres nguyen hill ' +
  'flores green adams nelson baker hall rivera campbell mitchell carter roberts gomez phillips ' +
  'evans turner diaz parker cruz edwards collins reyes stewart morris morales murphy cook rogers ' +
  'gutierrez ortiz morgan cooper peterson bailey reed kelly howard ramos kim cox ward richardson ' +
  'watson brooks chavez wood james bennett gray mendoza ruiz hughes price alvarez castillo sanders ' +
  'patel myers long ross foster jimenez müller'
const STARTS =
  'bar ber bla bor bra bur cal car cha cor dal del dor fal fen fer gar gol gra gri hal ham har hen ' +
  'hol kar kel kir lam lan lin mac mal mar mer mon nor pal par pen per pol ral ren ric ros sal sch ' +
  'ser sto str tal tor val ver vin wal wen wil zan'
const MIDDLES = 'a e i o an en in on ar er al el ing ed ow ay st ck nd rt'
const ENDS =
  'ton son man ley ski sky berg stein field ford wood well worth ville dale land ez ini etti elli o ' +
  'a ic ov er mann ard and'

export const words = (list: string): string =>
  `unnest(string_to_array('${list.replaceAll("'", "''")}', ' '))`

const PARENTS = `
  insert into organizations (id, name, created_at)
    values ('00000000-0000-4000-8000-000000000001', 'Bench', now());
  insert into teams (id, organization_id, name, region, created_at)
    values ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'One',
      'us', now()),
    ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000001', 'Two', 'us',
      now());
  insert into team_environments (id, team_id, environment, settings)
    values ('${ENVIRONMENT_ID}', '00000000-0000-4000-8000-000000000002', 'production', '{}'),
    ('00000000-0000-4000-8000-0000000000e2', '00000000-0000-4000-8000-000000000002', 'sandbox', '{}'),
    ('00000000-0000-4000-8000-0000000000e3', '00000000-0000-4000-8000-000000000003', 'production',
      '{}');
  insert into labs (slug, name, first_line_address, city, state, zipcode, collection_methods,
      sample_types)
    values ('lab', 'Lab', '1 Street', 'City', 'NY', '10001', '{}', '{}');
  insert into lab_accounts (id, lab_id, status, delegated_flow, provider_account_id, allowed_billing,
      created_at)
    values ('00000000-0000-4000-8000-0000000000a1', 1, 'active', 'not_delegated', '1', '{}', now());
  insert into lab_tests (environment_id, id, lab_id, slug, name, description, method, sample_type,
      status, created_at, updated_at)
    select id, '00000000-0000-4000-8000-0000000000b1', 1, 'test', 'Test', '', 'testkit', 'serum',
      'active', now(), now()
    from team_environments;`

/** Common names are common: half of the patients share the hundred most frequent surnames. */
const PATIENTS = `
  create unlogged table seed_patients as
  select number, gen_random_uuid() as id,
    first.names[1 + floor(cardinality(first.names) * power(random(), 1.4))::int] || ' '
      || last.names[1 + floor(case when random() < 0.5 then 115 * power(random(), 1.4)
        else cardinality(last.names) * power(random(), 1.6) end)::int] as name,
    date '1940-01-01' + (random() * 25000)::int as birth_date
  from generate_series(1, 360000) as number,
    (select array_agg(name) as names from ${words(FIRST_NAMES)} as name) as first,
    (select (select array_agg(name) from ${words(LAST_NAMES)} as name) || array_agg(a || b || c
        order by random()) as names
      from ${words(STARTS)} as a, ${words(MIDDLES)} as b, ${words(ENDS)} as c) as last;
  create index on seed_patients (number);
  insert into users (environment_id, id, client_user_id, created_at, person_changed_at)
  select case when number <= 300000 then '${ENVIRONMENT_ID}'
      when number <= 330000 then '00000000-0000-4000-8000-0000000000e2'
      else '00000000-0000-4000-8000-0000000000e3' end::uuid,
    id, 'client-' || number, now(), now()
  from seed_patients;`

const pick = (statuses: string): string => {
  const { length } = statuses.split(' ')
  return `(string_to_array('${statuses}', ' '))[1 + floor(picked * ${length})::int]`
}

/** Orders that are still on their way, by how they are collected, and how the others ended. */
const STATUS = `
  case when made_at + lasted > timestamptz '${TODAY} 12:00Z' then case method
    when 'testkit' then ${pick(
      'ordered awaiting_registration requisition_created transit_customer with_customer transit_lab ' +
        'delivered_to_lab partial_results',
    )}
    when 'walk_in_test' then ${pick(
      'ordered requisition_created appointment_scheduled requisition_bypassed partial_results',
    )}
    when 'at_home_phlebotomy' then ${pick(
      'ordered requisition_created appointment_pending appointment_scheduled draw_completed',
    )}
    else ${pick('ordered requisition_created draw_completed partial_results')} end
  when ending < 0.82 then 'completed' when ending < 0.93 then 'cancelled'
  when ending < 0.96 then 'sample_error' when ending < 0.97 then 'partial_results'
  when ending < 0.975 then 'corrected' when ending < 0.985 then 'do_not_process'
  when ending < 0.99 and method = 'testkit' then 'lost'
  when ending < 0.995 then 'requisition_created' else 'ordered' end`

const ORDERS = `
  create unlogged table seed_orders as
  with numbers as materialized (
    select number, random() as method_drawn, random() as ending, random() as picked,
      random() as result, random() as wait, random() as life, random() as recipient,
      timestamptz '${TODAY} 12:00Z' - power(random(), 1.25) * 730 * interval '1 day' as made_at,
      case when number > ${ORDERS_OF_TEAM}
        then 300001 + floor(random() * 60000)::int
        -- one person of a clinic that orders in its own name
        else case when random() < 0.005 then 7 else 1 + floor(random() * 300000)::int end
      end as patient
    from generate_series(1, ${ORDERS_OF_TEAM + ORDERS_OF_OTHERS}) as number
  ),
  drawn as (
    select *,
      case when method_drawn < 0.45 then 'testkit' when method_drawn < 0.8 then 'walk_in_test'
        when method_drawn < 0.92 then 'at_home_phlebotomy' else 'on_site_collection' end as method,
      -ln(1 - life * 0.999) * case when method_drawn < 0.45 then 8 else 3 end * interval '1 day'
        as lasted
    from numbers
  )
  select gen_random_uuid() as id, gen_random_uuid() as transaction_id, patients.id as user_id,
    patients.name, patients.birth_date, method, made_at, wait, result, recipient,
    ${STATUS} as status, least(made_at + lasted, timestamptz '${TODAY} 12:00Z') as changed_at,
    case when patient <= 300000 then '${ENVIRONMENT_ID}'
      when patient <= 330000 then '00000000-0000-4000-8000-0000000000e2'
      else '00000000-0000-4000-8000-0000000000e3' end::uuid as environment_id
  from drawn
  join seed_patients as patients on patients.number = drawn.patient
  order by made_at;

  insert into order_transactions (environment_id, id, status, created_at, updated_at)
  select environment_id, transaction_id, 'active', made_at, changed_at from seed_orders;

  insert into orders (environment_id, id, user_id, transaction_id, origin, lab_id, lab_test_id,
    lab_account_id, method, marker_ids, details_id, billing_type, activate_by, is_scheduled,
    patient_details, patient_address, last_status, last_status_at, interpretation, patient_name,
    patient_dob, shipping_recipient_name, created_at, updated_at)
  select environment_id, id, user_id, transaction_id, 'initial', 1,
    '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000a1', method,
    '{1,2,3,4,5}', gen_random_uuid(), 'client_bill',
    case when status = 'ordered' and wait < 0.9 then date '${TODAY}' + 1 + (wait * 60)::int end,
    status = 'ordered' and wait < 0.9,
    jsonb_build_object('first_name', split_part(name, ' ', 1), 'last_name', split_part(name, ' ', 2),
      'dob', birth_date, 'gender', 'female', 'phone_number', '+15555550100', 'email',
      replace(name, ' ', '.') || '@example.com', 'race', null, 'ethnicity', null,
      'medical_proxy', null, 'household_income', null, 'sexual_orientation', null),
    jsonb_build_object('receiver_name', name, 'first_line', '123 Main Street', 'second_line', '',
      'city', 'New York', 'state', 'NY', 'zip', '10001', 'country', 'US', 'phone_number', null),
    status, changed_at,
    case when status in ('completed', 'corrected', 'partial_results') then
      case when result < 0.65 then 'normal' when result < 0.93 then 'abnormal'
        when result < 0.95 then 'critical' else 'unknown' end end,
    name, birth_date,
    case when recipient < 0.95 then name else split_part(name, ' ', 2) || ' family' end,
    made_at, changed_at
  from seed_orders;`

/** Fills a freshly migrated database of a superuser. */
export async function seedOrders(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query("set synchronous_commit = off; set maintenance_work_mem = '512MB'")
    // Foreign keys and triggers would look at every row by itself.
    await client.query('set session_replication_role = replica')
    await client.query('select setseed(0.42)')
    await client.query(PARENTS)
    await client.query(PATIENTS)
    await withoutIndexes(client, 'orders', () => client.query(ORDERS))
    await client.query('drop table seed_orders, seed_patients')
    await client.query('vacuum analyze')
    await vacuumWhole(client)
  } finally {
    client.release(true)
  }
}

/**
 * A vacuum passes over rows that some other transaction, such as another vacuum, may not yet see.
 */
async function vacuumWhole(client: pg.PoolClient): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { rows } = await client.query<{ is_whole: boolean }>(
      "select relallvisible >= relpages as is_whole from pg_class where relname = 'orders'",
    )
    if (rows[0]?.is_whole) return
    await delay(1000)
    await client.query('vacuum orders')
  }
}

/** Indexes are built faster than they are filled; those behind a constraint stay. */
export async function withoutIndexes(
  client: pg.PoolClient,
  table: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index
    where indrelid = $1::regclass
      and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  for (const { definition } of rows) await client.query(definition)
}
