import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { rowScope } from '@salus/kernel/scope'
import { campaignRuns } from '../../../test/campaign-runs.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import { allowMoves, moveEvents } from '../../../test/webhooks/moved-events.ts'
import { listen, openStream, untilReadable } from '../../../test/webhooks/stream-reader.ts'
import {
  createWebhookHarness,
  HEARTRATE,
  openNewEnvironment,
  STEPS,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'

import { createEventRemoval } from '../messages/event-removal.repository.ts'

const salus = useFixture(createWebhookHarness)
let server: string
before(async () => {
  server = await listen(salus)
  await allowMoves(salus)
})

const SEED = 20_261_128
const STEPS_OF_MOVES = campaignRuns(6, 12)

function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const TYPES = [STEPS, HEARTRATE, 'labtest.order.created']
const STATUSES = ['delivered', 'delivered', 'failed', 'cancelled', 'pending']

interface Story {
  environment: WebhookEnvironment
  ids: string[]
  users: string[]
  /** What events of laboratories are about. */
  records: string[]
  webhooks: string[]
}

/** Events of some hours with deliveries and attempts in every state, as dispatch leaves them. */
async function writeEvents(random: (below: number) => number, count: number): Promise<Story> {
  const environment = await openNewEnvironment(salus)
  const users = [newId(), newId(), newId()]
  const records = [newId(), newId(), newId()]
  const story: Story = { environment, ids: [], users, records, webhooks: [] }
  for (let made = 0; made < count; made += 1) {
    if (made === 3 || made === 8) {
      const types = made === 8 ? [STEPS] : undefined
      story.webhooks.push((await environment.makeWebhook({ filter_types: types })).id)
    }
    const userId = random(8) === 0 ? null : (users[random(users.length)] ?? null)
    const type = TYPES[random(6) === 0 ? 2 : random(2)] as string
    const subjectIds = type === TYPES[2] ? [records[random(records.length)] as string] : undefined
    const data = { text: 'a\tb\\c\n"ü"'.repeat(1 + random(60) * random(10)), made }
    const id = await environment.raise({ type, userId, data, ...(subjectIds && { subjectIds }) })
    story.ids.push(id)
    if (subjectIds !== undefined) subjectsOf.set(id, subjectIds)
    if (random(3) === 0) await environment.dispatch()
    salus.clock.advance(random(600))
  }
  await environment.dispatch()
  await attempt(random, environment)
  await untilReadable(salus, environment)
  return story
}

/** Gives every delivery attempts and an outcome. */
async function attempt(random: (below: number) => number, environment: WebhookEnvironment) {
  const { pool } = salus.database
  const { rows } = await pool.query(
    `select event_id, endpoint_id, events.created_at from webhook_deliveries join events on id = event_id
    where webhook_deliveries.environment_id = $1 order by events.sequence, endpoint_id`,
    [environment.environmentId],
  )
  for (const { event_id: eventId, endpoint_id: endpointId, created_at: at } of rows) {
    const status = STATUSES[random(STATUSES.length)]
    const attempts = random(3) + (status === 'cancelled' ? 0 : 1)
    await pool.query(
      `update webhook_deliveries set status = $3, attempts = $4, failures = $4, updated_at = $5,
        next_attempt_at = case when $3 = 'pending' then $5::timestamptz + interval '30 days' end
      where event_id = $1 and endpoint_id = $2`,
      [eventId, endpointId, status, attempts, at],
    )
    for (let number = 1; number <= attempts; number += 1) {
      const isLast = number === attempts && status === 'delivered'
      const values = [environment.environmentId, eventId, endpointId, number]
      const attemptedAt = new Date(at.getTime() + random(5_000))
      await pool.query(`insert into webhook_attempts values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, [
        ...values,
        attemptedAt,
        isLast ? 204 : null,
        isLast ? null : 'dns',
        random(900),
        'a\t\\n"',
      ])
    }
  }
}

/** Questions about all events, with pages of random size. */
function questionsOf({ users, webhooks, ids }: Story, random: (below: number) => number) {
  const limit = () => `limit=${1 + random(12)}`
  return [
    `/event?${limit()}`,
    `/event?${limit()}&user_id=${users[0]}`,
    `/event?${limit()}&event_type=daily.data.s*`,
    `/event?${limit()}&event_type=${HEARTRATE}&user_id=${users[1]}`,
    `/event?${limit()}&webhook_id=${webhooks[0]}&status=failed`,
    ...['waiting', 'unsent', 'pending', 'delivered', 'failed', 'cancelled'].map(
      (status) => `/event?${limit()}&status=${status}`,
    ),
    `/webhook/${webhooks[0]}/attempt?${limit()}`,
    `/webhook/${webhooks[0]}/attempt?${limit()}&status=succeeded`,
    `/webhook/${webhooks[1]}/attempt?${limit()}&event_type=daily.*`,
    ...ids.flatMap((id) => (random(4) === 0 ? [`/event/${id}`, `/event/${id}/attempt`] : [])),
  ]
}

/** All pages of an answer, with something done before each of them. */
async function readPages(
  environment: WebhookEnvironment,
  path: string,
  meanwhile: () => unknown = () => undefined,
): Promise<unknown[]> {
  const read: unknown[] = []
  let cursor: string | null = ''
  do {
    const done = meanwhile()
    const next: string = cursor === '' ? '' : `&next_cursor=${encodeURIComponent(cursor ?? '')}`
    const page = await environment.succeed('GET', path + next)
    await done
    read.push(...(page.data ?? [page]))
    cursor = page.next_cursor ?? null
  } while (cursor !== null)
  return read
}

async function readFeed(environment: WebhookEnvironment, after = '0-0') {
  const query = `after=${after}&follow=false`
  const reader = await openStream(server, environment, salus.managementKey, { query })
  assert.equal(await reader.ended, true)
  return reader.items.filter(({ name }) => name === 'message')
}

const heldIds = async ({ environmentId }: WebhookEnvironment): Promise<string[]> => {
  const { rows } = await salus.database.pool.query(
    'select id from events where environment_id = $1 order by id',
    [environmentId],
  )
  return rows.map(({ id }) => id)
}

const subjectsOf = new Map<string, readonly string[]>()

/** Removes a record, after which its events are in no list, and all others still are. */
async function expectRemoved({ environment }: Story, record: string): Promise<void> {
  const before = (await readPages(environment, '/event?limit=50')) as { id: string }[]
  const removal = createEventRemoval(salus.clickhouse)
  await salus.database.db
    .transaction()
    .execute((tx) =>
      removal.deleteAbout(rowScope(tx, environment.environmentId), { userIds: [], ids: [record] }),
    )
  const left = before.filter(({ id }) => !subjectsOf.get(id)?.includes(record))
  assert.ok(left.length < before.length)
  assert.deepEqual(await readPages(environment, '/event?limit=7'), left)
  const ids = new Set(left.map(({ id }) => id))
  assert.ok((await readFeed(environment)).every(({ data }) => ids.has(data.id)))
}

describe('events that are moved to ClickHouse', () => {
  test('are in every answer as before, at whichever moment they are moved', async () => {
    const random = randomOf(SEED)
    const story = await writeEvents(random, campaignRuns(60, 90))
    const { environment } = story
    const questions = questionsOf(story, random)
    const expected = new Map<string, unknown[]>()
    for (const path of questions) expected.set(path, await readPages(environment, path))
    const status = await environment.succeed('GET', '/webhook_status?hours=720')
    const feed = await readFeed(environment)
    assert.equal(feed.length, story.ids.length)
    const end = salus.clock.now().getTime()
    const begin = end - 9 * 3_600_000
    for (let step = 0; step <= STEPS_OF_MOVES; step += 1) {
      const at = () => new Date(begin + ((end - begin) * step) / STEPS_OF_MOVES + 3_600_000)
      const meanwhile = () => random(3) === 0 && moveEvents(salus, at(), { atOnce: 1 + random(4) })
      for (const path of questions) {
        if (step < STEPS_OF_MOVES && random(3) !== 0) continue
        assert.deepEqual(await readPages(environment, path, meanwhile), expected.get(path), path)
      }
      assert.deepEqual(await environment.succeed('GET', '/webhook_status?hours=720'), status)
      await moveEvents(salus, at())
      const from = feed[random(feed.length)]?.position
      assert.deepEqual(await readFeed(environment), feed)
      assert.deepEqual(
        await readFeed(environment, from),
        feed.slice(1 + feed.findIndex(({ position }) => position === from)),
      )
    }
    const held = await heldIds(environment)
    const pending = (await readPages(environment, '/event?status=pending')) as { id: string }[]
    assert.ok(pending.length > 0 && held.length < story.ids.length / 2, `${held.length} held`)
    assert.ok(pending.every(({ id }) => held.includes(id)))
    for (const record of story.records) await expectRemoved(story, record)
  })
})
