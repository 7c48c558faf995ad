import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { listOnlyDevices } from '@salus/health/connections'
import { newEventId } from '@salus/kernel/events/event-id'
import { type EventRow, insertEvents } from '@salus/kernel/events/outbox'
import type { TransactionScope } from '@salus/kernel/scope'
import { upsertDevices } from '../../../health/src/connections/devices.repository.ts'
import { listResourceStatistics } from '../../../health/src/connections/resource-statistics.repository.ts'
import { listWatchedResources } from '../../../health/src/continuous-queries/invalidation/invalidations.global.repository.ts'
import { listPulls } from '../../../health/src/coverage/introspection.repository.ts'
import { listConnectionNames } from '../../../health/src/coverage/resource-extents.repository.ts'
import * as publications from '../../../health/src/ingest/publishing/pending-publications.global.repository.ts'
import { PublicationEvents } from '../../../health/src/ingest/publishing/publication-events.ts'
import {
  insertUserPriorities,
  upsertTeamPriorities,
} from '../../../health/src/source-priorities/source-priorities.repository.ts'
import { listStoredBodies } from '../../../health/src/summaries/body/stored-bodies.repository.ts'
import { findStoredVersions } from '../../../health/src/summaries/storing/stored-summaries.repository.ts'
import {
  findEndpointKeys,
  lockEndpoints,
} from '../../src/webhooks/delivery/delivery.global.repository.ts'
import { createHarness } from '../harness.ts'
import { rowScope } from '../scope.ts'
import { useFixture } from '../use-fixture.ts'

/** More than a statement takes parameters, of one a row. */
const ROWS = 100_000

const salus = useFixture(createHarness)
let environmentId: string
const at = new Date('2026-02-10T08:00:00Z')
const ids = Array.from({ length: ROWS }, () => randomUUID() as string)

before(async () => {
  const { rows } = await salus.database.pool.query(
    "select id from team_environments where environment = 'sandbox' limit 1",
  )
  environmentId = rows[0].id
})

const count = async (table: string): Promise<number> => {
  const { rows } = await salus.database.pool.query(`select count(*) as count from ${table}`)
  return rows[0].count
}

const event = (): EventRow => ({
  environment_id: environmentId,
  id: newEventId(at),
  event_type: 'daily.data.steps.created',
  user_id: null,
  subject_ids: null,
  body: Buffer.from([0x28, 0, 255, 10]),
  body_bytes: 4,
  created_at: at,
  only_endpoint_id: null,
  except_endpoint_id: null,
  unsent_reason: null,
  trace_parent: null,
})

test('events of 100,000 rows are written as they are and in order', async () => {
  const events = ids.map(event)
  const { db } = salus.dependencies
  await db.transaction().execute((transaction) => insertEvents(transaction, events))
  const { rows } = await salus.database.pool.query(
    'select id, body from events where environment_id = $1 order by sequence',
    [environmentId],
  )
  assert.equal(rows.length, ROWS)
  assert.ok(rows.every(({ id }, index) => id === events[index]?.id))
  assert.deepEqual(rows[0].body, events[0]?.body)
  assert.equal(await count('waiting_events'), ROWS)
})

test('100,000 pending publications are made and replaced by 100,000 events', async () => {
  const { db } = salus.dependencies
  const pending = ids.map((id, index) => {
    const isOfSamples = index % 2 === 0
    return {
      environment_id: environmentId,
      user_id: id,
      resource: isOfSamples ? 'steps' : 'workouts',
      id,
      provider: 'manual',
      range_start: isOfSamples ? at : null,
      range_end: isOfSamples ? at : null,
      least_version: null,
      summary_ids: isOfSamples ? null : [id],
      base_url: '',
      created_at: at,
    }
  })
  await publications.insertPending(db, pending)
  assert.equal(await count('pending_publications'), ROWS)
  const before = await count('events')
  const events = new PublicationEvents(at)
  for (const row of ids.map(event)) events.plain.push(row)
  await publications.publishEvents(db, pending, events)
  assert.equal(await count('pending_publications'), 0)
  assert.equal(await count('events'), before + ROWS)
})

test('100,000 devices and priorities are stored', async () => {
  const userId = await salus.makeUser('manual')
  const scope = rowScope(salus.database.db, { id: environmentId })
  const devices = ids.map((id) => ({
    id,
    provider: 'manual',
    source_type: 'watch',
    app_id: null,
    device_manufacturer: null,
    device_model: 'Watch',
    device_version: null,
    device_id: null,
    identity: id,
  }))
  const stored = await upsertDevices(scope as TransactionScope, userId, devices, at)
  assert.equal(stored.length, ROWS)
  const rows = ids.map((id) => ({
    resource: 'steps',
    provider: 'manual',
    source_type: 'watch',
    app_id: id,
    priority: 1,
  }))
  await insertUserPriorities(scope, userId, rows as never, at)
  assert.equal(await count('user_source_priorities'), ROWS)
  const ofTeam = ids.map((id) => ({
    data_type: 'timeseries' as const,
    provider: id,
    resource: '',
    source_type: '',
    priority: 1,
  }))
  await upsertTeamPriorities(scope, ofTeam, at)
})

test('lists of 100,000 ids are looked up', async () => {
  const { db, clickhouse } = salus.dependencies
  const scope = rowScope(db, { id: environmentId })
  const lookUps: Record<string, () => Promise<unknown>> = {
    listOnlyDevices: () => listOnlyDevices(db, ids, ids),
    listResourceStatistics: () => listResourceStatistics(scope, ids),
    listPulls: () => listPulls(scope, ids, null),
    listConnectionNames: () => listConnectionNames(scope, ids),
    listWatchedResources: () => listWatchedResources(db, ids),
    findEndpointKeys: () => findEndpointKeys(db, ids),
    lockEndpoints: () => lockEndpoints(db, ids),
    findStoredVersions: () =>
      findStoredVersions(
        clickhouse,
        { environmentIds: new Set([environmentId]), userIds: new Set(ids) },
        'workouts',
        new Set(ids),
      ),
    listStoredBodies: () => listStoredBodies(clickhouse, environmentId, ids[0] ?? '', ids),
  }
  for (const [name, lookUp] of Object.entries(lookUps)) {
    await assert.doesNotReject(lookUp(), name)
  }
})
