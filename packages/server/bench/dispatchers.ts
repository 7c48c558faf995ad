import { openDatabase } from '@salus/kernel/postgres/database'
import { dispatchEvents } from '../src/webhooks/delivery/delivery.global.repository.ts'
import { ShareTurns } from '../src/webhooks/delivery/dispatch-shares.global.repository.ts'
import { createHarness } from '../test/harness.ts'
import { openNewEnvironment } from '../test/webhooks/webhook-environment.ts'
import { median, printColumns, printMachine, secondsOf } from './measure.ts'

const ENVIRONMENTS = 32
const EVENTS = 16_000
const AT_ONCE = 500

/** Dispatch of a backlog by one, two and four dispatchers, in turns. */
export async function benchDispatchers(rounds: number): Promise<void> {
  const salus = await createHarness()
  const { pool, url } = salus.database
  const measured = new Map<number, { rate: number[]; busy: number[] }>()
  try {
    for (let count = 0; count < ENVIRONMENTS; count++) {
      const environment = await openNewEnvironment(salus)
      await environment.makeWebhook()
      await environment.raise()
    }
    await dispatchEvents(salus.database.db, salus.clock.now(), EVENTS)
    for (let round = 0; round <= rounds; round++) {
      for (const dispatchers of [1, 2, 4]) {
        await pool.query(FILL, [EVENTS / ENVIRONMENTS])
        await pool.query('analyze')
        const databases = Array.from({ length: dispatchers }, () =>
          openDatabase({ url, poolSize: 1 }),
        )
        let busyMs = 0
        const hasMore = async () =>
          (await pool.query('select from waiting_events limit 1')).rows.length > 0
        const seconds = await secondsOf(() =>
          Promise.all(
            databases.map(async ({ db }, index) => {
              const turns = new ShareTurns(index / dispatchers)
              for (;;) {
                const shares = turns.next()
                const startedAt = performance.now()
                const done = await dispatchEvents(db, salus.clock.now(), AT_ONCE, shares)
                busyMs += performance.now() - startedAt
                if (turns.end(shares, done?.events === AT_ONCE)) continue
                // In a server a notification of those that still work wakes it.
                if (!(await hasMore())) return
                await new Promise((resolve) => setTimeout(resolve, 5))
              }
            }),
          ),
        )
        const { rows } = await pool.query<{ left: number }>(
          'select count(*)::int as left from waiting_events',
        )
        if (rows[0]?.left !== 0) throw new Error(`${rows[0]?.left} events wait`)
        for (const database of databases) await database.close()
        if (round === 0) continue
        const known = measured.get(dispatchers) ?? { rate: [], busy: [] }
        known.rate.push(EVENTS / seconds)
        known.busy.push(busyMs / EVENTS)
        measured.set(dispatchers, known)
      }
    }
    printMachine()
    printColumns(
      ['dispatchers', 'events a second', 'milliseconds of a connection for an event'],
      [...measured].map(([dispatchers, { rate, busy }]) => [
        String(dispatchers),
        median(rate).toFixed(0),
        median(busy).toFixed(3),
      ]),
    )
  } finally {
    await salus.close()
  }
}

/** Copies of the newest event of each environment with an endpoint, which wait. */
const FILL = `
  with newest as (
    select distinct on (environment_id) * from events
    where environment_id in (select environment_id from webhook_endpoints)
    order by environment_id, sequence
  ), copies as (
    insert into events (environment_id, id, event_type, user_id, body, body_bytes, created_at)
    select environment_id, id || '-' || gen_random_uuid(), event_type, user_id, body, body_bytes, created_at
    from newest, generate_series(1, $1::int)
    returning sequence, environment_id, id
  )
  insert into waiting_events (sequence, environment_id, event_id) select * from copies`
