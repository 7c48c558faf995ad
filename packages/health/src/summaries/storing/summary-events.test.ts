import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { createHarness, type Harness } from '../../../../server/test/harness.ts'
import {
  createSummaryFixture,
  createTestIngest,
  type SummaryFixture,
  storeAs,
} from '../../../../server/test/ingest-fixture.ts'
import { storedEvents } from '../../../../server/test/stored-events.ts'
import { plainSummary } from '../../../../server/test/summaries/plain-summary.ts'
import { makePublishedOwner } from '../../../../server/test/summaries/published-owner.ts'
import type { Ingest } from '../../ingest/index.ts'
import { SUMMARY_EVENTS, summaryHistory } from '../summaries.events.ts'
import type { NewSummary } from '../summary.ts'
import { summaryId } from '../summary-id.ts'
import { presentSummary, toSleepCycle } from '../summary-presenters.ts'
import { SUMMARY_RESOURCES } from '../summary-tables.registry.ts'
import { listStoredSummaries } from './stored-summaries.repository.ts'
import { withLocalDay } from './stored-summary.ts'

let salus: Harness
let ingest: Ingest
let writer: SummaryFixture
before(async () => {
  salus = await createHarness()
  ingest = createTestIngest({ ...salus.dependencies, isAlone: true })
  writer = createSummaryFixture(ingest, salus.dependencies)
})
after(async () => {
  await ingest.idle()
  await salus.close()
})

const eventsOf = (userId: string) => storedEvents(salus, userId, /^(daily|historical)\.data\./)
const typesOf = async (userId: string) =>
  (await eventsOf(userId)).map((event) => event.event_type.replace('daily.data.', ''))

const weight = (kilogram: number, parts: Partial<Omit<NewSummary<'body'>, 'values'>> = {}) =>
  plainSummary('body', { ...parts, values: { weight_kilogram: kilogram } })

describe('a stored summary raises events', () => {
  test('whose data are the objects that are read, valid by their schemas', async () => {
    const { owner, publication } = await makePublishedOwner(salus)
    const summaries = SUMMARY_RESOURCES.map((resource) => plainSummary(resource))
    await writer.write(owner, summaries, publication)
    const context = {
      userId: owner.userId,
      baseUrl: 'https://salus.test',
      devices: new Map(),
      fallbackZone: null,
    }
    const expected: [string, object | null][] = []
    for (const summary of summaries) {
      const { resource } = summary
      const { environmentId, userId } = owner
      const ids = [summaryId(owner, summary)]
      const rows = await listStoredSummaries(salus.clickhouse, environmentId, userId, resource, ids)
      const row = withLocalDay(resource, rows[0] as (typeof rows)[0], null)
      expected.push([resource, presentSummary(resource, row, context)])
      if (resource === 'sleep') {
        expected.push(['sleep_cycle', toSleepCycle(row as never, context)])
      }
    }
    const events = await eventsOf(owner.userId)
    assert.deepEqual(
      events.map(({ payload }) => [payload.event_type, payload.data]),
      expected.map(([resource, object]) => [`daily.data.${resource}.created`, object]),
    )
    const ajv = new Ajv({ strict: false, validateFormats: false })
    for (const { payload } of events) {
      const type = SUMMARY_EVENTS.find(({ name }) => name === payload.event_type)
      const validate = ajv.compile(type?.data as object)
      assert.ok(validate(payload.data), `${type?.name}: ${ajv.errorsText(validate.errors)}`)
    }
  })

  test('created on first sight, updated on a change, none for the same again', async () => {
    const { owner, publication } = await makePublishedOwner(salus)
    await writer.write(owner, [weight(70)], publication)
    await writer.write(owner, [weight(70)], publication)
    assert.deepEqual(await typesOf(owner.userId), ['body.created'])
    await writer.write(owner, [weight(71)], publication)
    assert.deepEqual(await typesOf(owner.userId), ['body.created', 'body.updated'])
    assert.equal(await countPending(), 0)
  })

  test('several updates while the first one waits have one event with the latest', async () => {
    const { owner, publication } = await makePublishedOwner(salus)
    for (const kilogram of [70, 71, 72]) {
      await writer.write(owner, [weight(kilogram)], publication)
    }
    const events = await eventsOf(owner.userId)
    assert.deepEqual(
      events.map(({ payload }) => [payload.event_type.split('.').at(-1), payload.data.weight]),
      [
        ['created', 70],
        ['updated', 72],
      ],
    )
  })

  test('a sleep cycle only when the stages are new or others', async () => {
    const { owner, publication } = await makePublishedOwner(salus)
    const stages = {
      stage_start_offset_second: [0],
      stage_end_offset_second: [60],
      stage_type: [2],
    }
    const none = {
      stage_start_offset_second: [],
      stage_end_offset_second: [],
      stage_type: [],
    }
    const versions = [
      none,
      stages,
      { ...stages, score: 80 },
      { ...stages, stage_type: [1] },
      { ...none, score: 81 },
    ]
    const published: string[][] = []
    for (const values of versions) {
      const before = (await typesOf(owner.userId)).length
      await writer.write(owner, [plainSummary('sleep', { values })], publication)
      published.push((await typesOf(owner.userId)).slice(before))
      await salus.database.pool.query('delete from waiting_events')
    }
    assert.deepEqual(published, [
      ['sleep.created'],
      ['sleep_cycle.created', 'sleep.updated'],
      ['sleep.updated'],
      ['sleep.updated', 'sleep_cycle.updated'],
      ['sleep.updated'],
    ])
  })

  test('with the local day of the fallback zone where the source says none', async () => {
    const { owner, publication } = await makePublishedOwner(salus)
    await salus.call('PATCH', `/v2/user/${owner.userId}`, { fallback_time_zone: 'Asia/Tokyo' })
    const undated = { calendarDate: null, timezoneOffset: null, timeZone: '' }
    const evening = Date.parse('2026-02-10T20:00:00Z')
    await writer.write(
      owner,
      [weight(70, { ...undated, startedAt: evening, endedAt: evening })],
      publication,
    )
    const [event] = await eventsOf(owner.userId)
    assert.equal(event?.payload.data.calendar_date, '2026-02-11')
  })

  test('not without an publication, as history is stored', async () => {
    const { owner } = await makePublishedOwner(salus)
    await writer.write(owner, [weight(70)])
    assert.deepEqual(await eventsOf(owner.userId), [])
    assert.equal(await countPending(), 0)
  })

  test('as many as one call brings', async () => {
    const { owner, publication } = await makePublishedOwner(salus)
    const many = Array.from({ length: 2_500 }, (_, index) =>
      weight(70, { recordId: `record ${index}` }),
    )
    await writer.write(owner, many, publication)
    assert.equal((await eventsOf(owner.userId)).length, 2_500)
  })
})

test('history has one event without data', async () => {
  const { owner, publication } = await makePublishedOwner(salus)
  const subject = summaryHistory('sleep_cycle')
  const [from, to] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z')]
  const history = [{ subject, from, to, isFinal: true, upload: null }]
  await storeAs(ingest, salus.dependencies)(owner, { history }, publication)
  const [event] = await eventsOf(owner.userId)
  assert.equal(event?.event_type, 'historical.data.sleep_cycle.created')
  assert.equal(event?.payload.data.start_date, '2026-01-01T00:00:00+00:00')
})

const countPending = async (): Promise<number> => {
  const { rows } = await salus.database.pool.query('select count(*) from pending_publications')
  return rows[0].count
}

/** Stores everything but events, as if the process ended between the two stores. */
async function withoutEvents(work: () => Promise<unknown>): Promise<void> {
  const { pool } = salus.database
  await pool.query(`create or replace function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'no events today'; end $$`)
  await pool.query('create trigger refuse before insert on events execute function refuse()')
  await assert.rejects(work())
  await pool.query('drop trigger refuse on events')
}

describe('what failed between the stores', () => {
  test('is published when the same comes again, before it is acknowledged', async () => {
    const { owner, publication } = await makePublishedOwner(salus)
    await withoutEvents(() => writer.write(owner, [weight(70)], publication))
    assert.equal(await countPending(), 1)
    const again = await writer.write(owner, [weight(70)], publication)
    assert.equal(again.unchanged, 1)
    assert.deepEqual(await typesOf(owner.userId), ['body.created'])
    assert.equal(await countPending(), 0)
  })

  test('is published before a further change of it', async () => {
    salus.errors.expect('data that are stored could not be published')
    const { owner, publication } = await makePublishedOwner(salus)
    await withoutEvents(() => writer.write(owner, [weight(70)], publication))
    salus.clock.advance(1)
    await withoutEvents(() => writer.write(owner, [weight(71)], publication))
    await writer.write(owner, [weight(72)], publication)
    const types = await typesOf(owner.userId)
    assert.deepEqual(types, ['body.created', 'body.updated'])
  })

  test('is published when it is recovered, and nothing else is', async () => {
    const { owner, publication } = await makePublishedOwner(salus)
    const known = weight(60, { recordId: 'known' })
    await writer.write(owner, [known, weight(70)], publication)
    salus.clock.advance(1)
    const changed = [known, weight(71), weight(80, { recordId: 'new' }), plainSummary('sleep')]
    await withoutEvents(() => writer.write(owner, changed, publication))
    const before = (await typesOf(owner.userId)).length
    await ingest.recover()
    assert.equal(await countPending(), 2)
    salus.clock.advance(31)
    await ingest.recover()
    assert.equal(await countPending(), 0)
    assert.deepEqual((await typesOf(owner.userId)).slice(before).toSorted(), [
      'body.created',
      'body.updated',
      'sleep.created',
      'sleep_cycle.created',
    ])
  })

  test('or was never stored, or is of a person who left, goes without a word', async () => {
    const { owner, publication } = await makePublishedOwner(salus)
    const { clickhouse } = salus
    const broken = new Proxy(clickhouse, {
      get(target, name) {
        if (name === 'insert') return () => Promise.reject(new Error('disk full'))
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const stores = { ...salus.dependencies, clickhouse: broken }
    const failing = createSummaryFixture(createTestIngest(stores), stores)
    await assert.rejects(failing.write(owner, [weight(70)], publication))
    const gone = await makePublishedOwner(salus)
    await withoutEvents(() => writer.write(gone.owner, [weight(70)], gone.publication))
    await salus.call('DELETE', `/v2/user/${gone.owner.userId}`)
    assert.equal(await countPending(), 2)
    await ingest.recover({ olderThanMs: 0 })
    assert.equal(await countPending(), 0)
    assert.deepEqual(await eventsOf(owner.userId), [])
    assert.deepEqual(await eventsOf(gone.owner.userId), [])
  })
})
