import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { createHarness, type Harness } from '../../server/test/harness.ts'
import { until } from '../../server/test/webhooks/until.ts'
import {
  AuthenticationError,
  BadRequestError,
  groupKey,
  InvalidInputError,
  isEvent,
  NotFoundError,
  PermissionError,
  past,
  query,
  Salus,
  sum,
  summaries,
  UploadInterruptedError,
} from '../src/index.ts'

const EXPORT = new URL(
  '../../health/src/imports/formats/apple-health/fixtures/healthkit-small-export.xml',
  import.meta.url,
)

let harness: Harness
let salus: Salus
let baseUrl: string

before(async () => {
  harness = await createHarness()
  await harness.startJobs()
  baseUrl = await harness.app.listen({ port: 0, host: '127.0.0.1' })
  const { apiKey, managementKey, organizationId: orgId, teamId } = harness
  salus = new Salus({ apiKey, managementKey, orgId, teamId, baseUrl })
})
after(async () => {
  // The server would wait for connections that clients keep.
  const timer = setInterval(() => harness?.app.server.closeAllConnections(), 100)
  await harness?.close()
  clearInterval(timer)
})

let nextPerson = 0
const makeUser = () => salus.users.create({ client_user_id: `sdk-${nextPerson++}` })

/** A client whose connection breaks after the server has answered, as often as said. */
function losingAnswers(times: number, isLost: (address: string) => boolean = () => true): Salus {
  let left = times
  return new Salus({
    apiKey: harness.apiKey,
    baseUrl,
    fetch: async (address, init) => {
      const response = await fetch(address, init)
      if (left <= 0 || !isLost(`${init?.method} ${address}`)) return response
      left -= 1
      await response.arrayBuffer()
      throw new TypeError('fetch failed')
    },
  })
}

describe('users', () => {
  test('are made, found, listed over pages, changed and deleted', async () => {
    const created = []
    for (let i = 0; i < 5; i++) created.push((await makeUser()).user_id)
    const listed = []
    for await (const { user_id } of salus.users.list({ limit: 2 })) listed.push(user_id)
    assert.deepEqual(listed.slice(-5).sort(), created.toSorted())
    const [first = ''] = created
    assert.equal(await salus.users.update(first, { fallback_time_zone: 'Asia/Tokyo' }), undefined)
    const found = await salus.users.resolve('sdk-0')
    assert.deepEqual([found.user_id, found.fallback_time_zone?.id], [first, 'Asia/Tokyo'])
    await salus.users.delete(first)
    await assert.rejects(salus.users.get(first), NotFoundError)
  })

  test('are refused with errors that say why', async () => {
    const { user_id, client_user_id } = await makeUser()
    await assert.rejects(salus.users.create({ client_user_id }), (error) => {
      assert.ok(error instanceof BadRequestError)
      assert.deepEqual([error.errorType, error.detail.user_id], ['INVALID_REQUEST', user_id])
      assert.ok(error.requestId)
      return true
    })
    await assert.rejects(salus.users.create({} as { client_user_id: string }), (error) => {
      assert.ok(error instanceof InvalidInputError)
      assert.deepEqual(error.problems[0]?.loc, ['body', 'client_user_id'])
      return true
    })
    await assert.rejects(salus.users.get('no-uuid'), InvalidInputError)
    const other = new Salus({ apiKey: 'sk_us_wrong', baseUrl })
    await assert.rejects(other.users.getMetrics(), AuthenticationError)
  })
})

describe('samples', () => {
  const samples = Array.from({ length: 25 }, (_, hour) => ({
    value: hour + 1,
    unit: 'count',
    start_date: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
    end_date: new Date(Date.UTC(2026, 0, 1, hour, 30)).toISOString(),
  }))

  test('of many people go up in one stream', async () => {
    const people = [await makeUser(), await makeUser()]
    for (const { user_id } of people) await salus.connections.createManual('manual', { user_id })
    async function* lines() {
      for (const sample of samples) {
        for (const { user_id } of people) yield { user_id, resource: 'steps', ...sample }
      }
      yield { client_user_id: 'unknown', resource: 'steps', unit: 'count', start_date: '' }
    }
    const first = await salus.timeseries.uploadMany(lines())
    assert.deepEqual([first.inserted, first.rejected], [50, 1])
    assert.deepEqual(first.problems, [{ line: 51, reason: 'unknown_user' }])
    const file = new Blob([
      `${JSON.stringify({ ...people[0], resource: 'steps', ...samples[0] })}\n`,
    ])
    assert.equal((await salus.timeseries.uploadBulk(file)).unchanged, 1)
  })

  test('go up in chunks, from where an interrupted upload was, and come back over pages', async () => {
    const { user_id } = await makeUser()
    await salus.connections.createManual('manual', { user_id })
    const upload = { stage: 'historical', provider: 'manual', data: samples } as const
    let chunks = 0
    const broken = new Salus({
      apiKey: harness.apiKey,
      baseUrl,
      maxRetries: 0,
      fetch: (address, init) => {
        if (++chunks > 2) return Promise.reject(new TypeError('fetch failed'))
        return fetch(address, init)
      },
    })
    const error = await broken.timeseries
      .uploadAll(user_id, 'steps', upload, { chunkSize: 7 })
      .catch((error: unknown) => error)
    assert.ok(error instanceof UploadInterruptedError)
    assert.deepEqual([error.acknowledged, error.result.inserted], [14, 14])
    const progress: number[] = []
    const rest = await salus.timeseries.uploadAll(user_id, 'steps', upload, {
      chunkSize: 7,
      resumeFrom: error.acknowledged,
      onProgress: (acknowledged) => progress.push(acknowledged),
    })
    assert.deepEqual([rest.inserted, rest.unchanged, progress], [11, 0, [21, 25]])
    const again = await salus.timeseries.uploadAll(user_id, 'steps', upload)
    assert.deepEqual([again.inserted, again.unchanged], [0, 25])
    const range = { start_date: '2026-01-01', end_date: '2026-01-03' }
    const [group] = await salus.timeseries.grouped(user_id, 'steps', range).toArray()
    assert.equal(group?.provider, 'manual')
    assert.deepEqual(
      group.data.map(({ value }) => value),
      samples.map(({ value }) => value),
    )
    const days = await salus.timeseries
      .merged(user_id, 'steps', { ...range, slot: 'day' })
      .toArray()
    assert.equal(
      days.reduce((total, { value }) => total + (value ?? 0), 0),
      325,
    )
  })

  test('that cannot be stored are named by their position among all', async () => {
    const { user_id } = await makeUser()
    await salus.connections.createManual('manual', { user_id })
    const bad = samples.map((sample, index) =>
      index === 20 ? { ...sample, unit: 'miles' } : sample,
    )
    const result = await salus.timeseries.uploadAll(
      user_id,
      'steps',
      { stage: 'daily', provider: 'manual', data: bad },
      { chunkSize: 10 },
    )
    assert.deepEqual(
      [result.inserted, result.put_aside, result.problems.map(({ index }) => index)],
      [24, 1, [20]],
    )
    const [item] = await salus.quarantine.list(user_id).toArray()
    assert.equal(item?.resource, 'steps')
  })

  test('run as tables, and as Parquet', async () => {
    const { user_id } = await makeUser()
    const activity = summaries('activity')
    const body = {
      timeframe: past(3, 'day', '2026-01-03'),
      queries: [
        query({
          select: [groupKey('*'), sum(activity.column('steps'))],
          groupBy: [activity.every(1, 'day')],
        }),
      ],
    }
    const { results } = await salus.queries.run(user_id, body)
    assert.equal(results.length, 1)
    const parquet = await salus.queries.runParquet(user_id, body)
    assert.deepEqual([...new Uint8Array(await parquet.arrayBuffer()).slice(0, 2)], [0x1f, 0x8b])
  })

  test('are imported from a file, which is waited for', async () => {
    const { user_id } = await makeUser()
    const job = await salus.imports.appleHealth(user_id, await openAsBlob(EXPORT))
    const looks: string[] = []
    const ended = await salus.imports.wait(user_id, job.id, {
      intervalMs: 50,
      onProgress: ({ status }) => looks.push(status),
    })
    assert.equal(ended.status, 'completed')
    assert.equal(looks.at(-1), 'completed')
  })
})

describe('orders', () => {
  test('are placed once, also when the answer is lost', async () => {
    const { user_id } = await makeUser()
    const [labTest] = await salus.labTests.list({ collection_method: 'walk_in_test' }).toArray(1)
    const { order } = await losingAnswers(2).orders.create({
      user_id,
      order_set: { lab_test_ids: [labTest?.id ?? ''] },
      patient_details: {
        first_name: 'Ada',
        last_name: 'Moreau',
        dob: '1990-04-12',
        gender: 'female',
        phone_number: '555-010-0199',
        email: 'ada@example.com',
      },
      patient_address: {
        first_line: '1 Main St',
        city: 'Phoenix',
        state: 'AZ',
        zip: '85004',
        country: 'US',
      },
    })
    const orders = await salus.orders.list({ user_id }).toArray()
    assert.deepEqual(
      orders.map(({ id }) => id),
      [order.id],
    )
    await assert.rejects(salus.results.get(order.id), { errorType: 'results_not_available' })
    await salus.sandbox.simulateOrder(order.id)
    await until('the order is completed', async () => {
      return (await salus.orders.get(order.id)).status === 'completed'
    })
    const { results } = await salus.results.get(order.id)
    assert.ok(Array.isArray(results) && results.length > 0)
    const report = await salus.results.getReport(order.id)
    const pdf = { headers: { accept: 'application/pdf' } }
    assert.equal((await salus.results.getReport(order.id, {}, pdf)).status, 200)
    assert.equal(report.headers.get('content-type'), 'application/pdf')
    const beginning = new Uint8Array(await report.arrayBuffer()).slice(0, 4)
    assert.equal(new TextDecoder().decode(beginning), '%PDF')
  })

  test('a report goes up as a file', async () => {
    const { user_id } = await makeUser()
    const file = [new Blob(['%PDF-1.4 made up'], { type: 'application/pdf' })]
    const lost = losingAnswers(1, (request) => request.startsWith('POST'))
    const job = await lost.labReports.create({ user_id, file })
    assert.equal((await salus.labReports.list({ user_id }).toArray()).length, 1)
    const read = await salus.labReports.wait(job.id, { intervalMs: 50 })
    assert.notEqual(read.status, 'started')
  })
})

describe('other credentials', () => {
  test('an app signs in for one person and reaches no other', async () => {
    const [own, other] = [await makeUser(), await makeUser()]
    const { sign_in_token } = await salus.mobile.createSignInToken(own.user_id)
    const { user_token } = JSON.parse(atob(sign_in_token))
    const { access_token } = await new Salus({ baseUrl }).mobile.exchangeToken({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:salus:sign-in-token',
      subject_token: user_token,
    })
    const app = new Salus({ accessToken: () => access_token, baseUrl })
    assert.equal((await app.users.get(own.user_id)).user_id, own.user_id)
    await assert.rejects(app.users.get(other.user_id), PermissionError)
  })

  test('a link token opens what the link page shows', async () => {
    const { user_id } = await makeUser()
    const { link_token } = await salus.link.createToken({ user_id })
    const page = new Salus({ linkToken: link_token, baseUrl })
    assert.ok((await page.link.listProviders()).some(({ slug }) => slug === 'oura'))
  })

  test('a management key makes webhooks and tokens, and reads who did what', async () => {
    const webhook = await salus.admin.webhooks.create({ url: 'https://example.com/hook' })
    const found = await salus.admin.webhooks.list().toArray()
    assert.deepEqual(
      found.map(({ id }) => id),
      [webhook.id],
    )
    const { teamId } = harness
    const { access_token } = await salus.admin.teams.createAccessToken(teamId, { env: 'sandbox' })
    const team = new Salus({ accessToken: access_token, baseUrl })
    assert.ok((await team.users.getMetrics()) !== undefined)
    await salus.admin.webhooks.delete(webhook.id)
  })

  test('events are followed across connections that break, each once', async () => {
    let opened = 0
    const follower = new Salus({
      managementKey: harness.managementKey,
      orgId: harness.organizationId,
      teamId: harness.teamId,
      baseUrl,
      fetch: async (address, init) => {
        const response = await fetch(address, init)
        opened += 1
        return opened > 2 ? response : new Response(cutAfterFirstEvent(response), response)
      },
    })
    const made: string[] = []
    for (let i = 0; i < 3; i++) {
      const { user_id } = await makeUser()
      await salus.connections.createManual('manual', { user_id })
      made.push(user_id)
    }
    const end = new AbortController()
    const seen: unknown[] = []
    const options = { signal: end.signal }
    for await (const { event } of follower.admin.events.follow({ after: '0-0' }, options)) {
      const isNew = isEvent(event, 'provider.connection.created')
      if (isNew && made.includes(event.user_id ?? '')) seen.push(event.user_id)
      if (seen.length === made.length) break
    }
    assert.deepEqual(seen, made)
    assert.ok(opened > 2)
  })
})

/** The body of a stream that breaks once an event came. */
function cutAfterFirstEvent({ body }: Response): ReadableStream<Uint8Array> {
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.read()
      if (done) return controller.close()
      const text = new TextDecoder().decode(value)
      const end = text.indexOf('\n\n', text.indexOf('event: message'))
      if (!text.includes('event: message')) return controller.enqueue(value)
      controller.enqueue(new TextEncoder().encode(text.slice(0, end + 2)))
      await reader.cancel()
      setTimeout(() => controller.error(new TypeError('terminated')), 20)
    },
  })
}
