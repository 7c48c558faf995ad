import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { leastEventId } from '@salus/kernel/events/event-id'
import type pg from 'pg'
import {
  BUSY,
  type EventNumbers,
  OLD_TRANSACTIONS,
  OTHERS,
  type Owner,
  RARE,
  TYPES,
} from './fill-recent.ts'

export const DAYS = 90
const EVENTS_OF_AN_INSERT = 500_000
const EVENTS_OF_A_MOVE = 5_000

/** Text of the 13 digits of an id that follow its version, as PostgreSQL makes them. */
const personOf = (number: string): string => `toUUID(concat(
  lower(leftPad(hex(1735689600000 + toUInt64(${number}) * 1000), 12, '0')), '7',
  substring(lower(hex(MD5(toString(${number})))), 1, 3), '8',
  substring(lower(hex(MD5(toString(${number})))), 4, 15)))`

const hashOf = (text: string): string => `toUUID(lower(hex(MD5(${text}))))`

const NUMBERS = `
  select number, fromUnixTimestamp64Milli(at_ms) as at, at_ms,
    (number * 7919) % {people:UInt64} + 1 as person, intDiv(number, 5) % ${OTHERS} as other,
    if(number % 5 = 4, ${hashOf(`concat('environment ', toString(other))`)}, {environmentId:UUID})
      as environment_id,
    if(number % 5 = 4, ${hashOf(`concat('endpoint ', toString(other))`)}, {endpointId:UUID})
      as endpoint_id,
    concat('msg_', arrayStringConcat(arrayMap(
      digit -> substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + bitAnd(bitShiftRight(at_ms, 5 * digit), 31), 1),
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])), substring(hex(MD5(toString(number))), 1, 16)) as id,
    ${personOf(`if(number % ${BUSY} = 0, 1, person)`)} as user_id,
    if(number % ${RARE} = 0, 'provider.connection.error', concat('daily.data.',
      ['${TYPES.join("','")}'][1 + number % ${TYPES.length}], '.created')) as event_type,
    number % 10 != 9 as is_sent,
    if(number % 1000 = 0, 'failed', 'delivered') as status,
    if(number % 1000 = 0, 9, 1) as attempts,
    intDiv(number, ${EVENTS_OF_A_MOVE}) + 1 as move
  from (
    select number, toInt64({since:UInt64} + intDiv(number * {span:UInt64}, {old:UInt64})) as at_ms
    from numbers({first:UInt64}, {count:UInt64})
  )`

const EVENTS = `
  insert into event_history (* except(subject_ids))
  select environment_id, id, user_id, event_type, number + 1, 1000 + intDiv(number *
      ${OLD_TRANSACTIONS}, {old:UInt64}), at,
    concat('{"event_type":"', event_type, '","data":{"source":{"provider":"health_connect",',
      '"type":"watch"},"data":[{"start":"', toString(at), '","end":"', toString(at), '","value":',
      toString(number % 4000), ',"id":"', lower(hex(MD5(toString(number)))), '"}]},"user_id":"',
      toString(user_id), '","client_user_id":"client-', toString(person), '"}'),
    null, null, if(is_sent, '', 'not_subscribed'), '',
    if(is_sent, [endpoint_id], []), if(is_sent, [status], []),
    if(is_sent, concat('[["', toString(endpoint_id), '","', status, '",', toString(attempts), ',0,',
      if(status = 'failed', '9', '0'), ',', toString(at_ms), ']]'), ''),
    move
  from (${NUMBERS})`

const ATTEMPTS = `
  insert into webhook_attempt_history
  select environment_id, endpoint_id, at + toIntervalSecond(attempt * attempt * 60), id, attempt,
    user_id, event_type, at, if(status = 'failed', 500, 204), '', 12, 'ok', move
  from (${NUMBERS}) array join range(1, attempts + 1) as attempt
  where is_sent`

/** Writes the old events in the order of time, and has PostgreSQL count them. */
export async function fillOldEvents(
  clickhouse: ClickHouse,
  pool: pg.Pool,
  owner: Owner,
  { people, events, recent }: EventNumbers,
): Promise<void> {
  const old = events - recent
  const until = Date.now() - HOUR_MS
  const since = until - DAYS * DAY_MS
  const all = { ...owner, people, old, since, span: until - since }
  for (let first = 0; first < old; first += EVENTS_OF_AN_INSERT) {
    const range = { ...all, first, count: Math.min(EVENTS_OF_AN_INSERT, old - first) }
    await clickhouse.command(EVENTS, range)
    await clickhouse.command(ATTEMPTS, range)
  }
  await pool.query(
    `insert into event_history_state
      (moves, moved_before, moved_transaction_id, moved_attempts_until, created_at)
    values ($1, $2, $3::text::xid8, $4, now() - interval '2 hours')
    on conflict (singleton) do update set moves = excluded.moves,
      moved_before = excluded.moved_before, moved_transaction_id = excluded.moved_transaction_id,
      moved_attempts_until = excluded.moved_attempts_until, created_at = excluded.created_at`,
    [
      Math.ceil(old / EVENTS_OF_A_MOVE),
      leastEventId(until),
      String(1000 + OLD_TRANSACTIONS),
      new Date(until + HOUR_MS),
    ],
  )
}
