import type pg from 'pg'
import { addPeople, eventTimeOf } from '../growth/fill-postgres.ts'
import { withoutIndexes } from '../orders-seed.ts'

/** Of all environments the team of the bench has four fifths of the events. */
export const OTHERS = 50
const EVENTS_OF_A_TRANSACTION = 10_000
/** Transactions that old events belong to. */
export const OLD_TRANSACTIONS = 200_000
/** The first person has one of so many events. */
export const BUSY = 100

/** Whose events. */
export interface Owner {
  environmentId: string
  endpointId: string
}

/** Numbers of events, and how many there are of each kind. */
export interface EventNumbers {
  people: number
  events: number
  /** How many of them, the newest, are in PostgreSQL. */
  recent: number
}

/** Ids rise with their numbers, as those of the service rise with time, in both stores. */
const PERSON_ID = `(lpad(to_hex(1735689600000 + number * 1000), 12, '0') || '7'
  || substr(md5(number::text), 1, 3) || '8' || substr(md5(number::text), 4, 15))::uuid`

const ADD_PEOPLE = `
  insert into growth_people
  select number, ${PERSON_ID}, 'Person', 'Number-' || number
  from generate_series($1::int, $2::int) as number`

/** Adds people with the rows that the template has, and environments beside the one of the team. */
export async function fillPeople(
  client: pg.PoolClient,
  templateId: string,
  { people }: EventNumbers,
): Promise<void> {
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '512MB'")
  // Foreign keys and triggers would look at every row by itself.
  await client.query('set session_replication_role = replica')
  await withoutIndexes(client, 'users', () =>
    withoutIndexes(client, 'user_demographics', () =>
      addPeople(client, ADD_PEOPLE, templateId, { from: 1, to: people }),
    ),
  )
  await client.query(
    `insert into teams (id, organization_id, name, region, created_at)
    select md5('team ' || number)::uuid, organization_id, 'Team ' || number, region, created_at
    from (select * from teams limit 1) as team, generate_series(0, ${OTHERS - 1}) as number`,
  )
  await client.query(
    `insert into team_environments (id, team_id, environment, settings)
    select md5('environment ' || number)::uuid, md5('team ' || number)::uuid, 'sandbox', '{}'
    from generate_series(0, ${OTHERS - 1}) as number`,
  )
  await client.query(
    `insert into webhook_endpoints (environment_id, id, url, secret, created_at, updated_at)
    select md5('environment ' || number)::uuid, md5('endpoint ' || number)::uuid,
      'https://hooks.example.com/' || number, '', now(), now()
    from generate_series(0, ${OTHERS - 1}) as number`,
  )
}

export const TYPES = [
  'heartrate',
  'steps',
  'hrv',
  'blood_oxygen',
  'respiratory_rate',
  'calories_active',
]
/** One event of so many is of a type that is rare. */
export const RARE = 100_000

/** Events of the last three quarters of an hour: nothing of them is over yet. */
const EVENTS = `
  with numbers as (
    select number, md5(number::text) as hash,
      now() - interval '45 minutes' * (1 - (number - $1)::float8 / ($2 - $1)) as created_at,
      1 + (number * 7919) % $3 as person, (number / 5) % ${OTHERS} as other,
      number % 5 = 4 as is_of_others
    from generate_series($4::bigint, $5::bigint) as number
  ), described as (
    select number, created_at,
      case when is_of_others then md5('environment ' || other)::uuid else $6::uuid end
        as environment_id,
      case when is_of_others then md5('endpoint ' || other)::uuid else $7::uuid end as endpoint_id,
      'msg_' || ${eventTimeOf('created_at')} || upper(substr(hash, 1, 16)) as id,
      case when number % ${RARE} = 0 then 'provider.connection.error'
        else 'daily.data.' || (array['${TYPES.join("','")}'])[(1 + number % ${TYPES.length})::int]
          || '.created' end as event_type,
      ${PERSON_ID.replaceAll('number', `(case when number % ${BUSY} = 0 then 1 else person end)`)}
        as user_id,
      json_build_object('event_type', 'daily.data.created', 'data', json_build_object(
        'source', json_build_object('provider', 'health_connect', 'type', 'watch'),
        'data', json_build_array(json_build_object('start', created_at, 'end', created_at,
          'value', number % 4000, 'id', hash)), 'user_id', hash, 'client_user_id', person))::text
        as body
    from numbers
  ), written as (
    insert into events
      (environment_id, id, event_type, user_id, body, body_bytes, created_at, unsent_reason)
    select environment_id, id, event_type, user_id, convert_to(body, 'utf8'), length(body),
      created_at, case when number % 10 = 9 then 'not_subscribed' end
    from described order by number
    returning environment_id, id, sequence, user_id, created_at
  ), delivered as (
    insert into webhook_deliveries (environment_id, event_id, endpoint_id, sequence, user_id, status,
      attempts, failures, next_attempt_at, updated_at)
    select environment_id, id, endpoint_id, sequence, written.user_id, status,
      case status when 'failed' then 9 else 1 end, case status when 'delivered' then 0 else 1 end,
      case status when 'pending' then now() + interval '3 hours' end, written.created_at
    from written join described using (environment_id, id)
    cross join lateral (select case when number % 1000 = 0 then 'failed'
      when number % 1000 = 1 then 'pending' else 'delivered' end as status) as state
    where number % 10 <> 9
    returning environment_id, event_id, endpoint_id, attempts, status, updated_at
  )
  insert into webhook_attempts
  select environment_id, event_id, endpoint_id, attempt, updated_at,
    case status when 'delivered' then 204 else 500 end, null, 12, 'ok'
  from delivered, generate_series(1, attempts) as attempt`

/** Writes the recent events in transactions of some thousand, as a busy service does. */
export async function fillRecentEvents(
  client: pg.PoolClient,
  { environmentId, endpointId }: Owner,
  { people, events, recent }: EventNumbers,
): Promise<void> {
  const first = events - recent + 1
  await client.query(`select setval(pg_get_serial_sequence('events', 'sequence'), $1)`, [first])
  await client.query(
    `do $$ begin for number in 1..${OLD_TRANSACTIONS} loop
      perform pg_current_xact_id(); commit; end loop; end $$`,
  )
  const write = async (): Promise<void> => {
    for (let from = first; from <= events; from += EVENTS_OF_A_TRANSACTION) {
      const to = Math.min(events, from + EVENTS_OF_A_TRANSACTION - 1)
      const range = [first, events + 1, people, from, to]
      await client.query(EVENTS, [...range, environmentId, endpointId])
    }
  }
  await withoutIndexes(client, 'events', () =>
    withoutIndexes(client, 'webhook_deliveries', () =>
      withoutIndexes(client, 'webhook_attempts', write),
    ),
  )
}
