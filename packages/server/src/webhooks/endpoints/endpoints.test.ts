import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isUuid, newId } from '@salus/kernel/ids'
import { createHarness } from '../../../test/harness.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import {
  ANY_URL,
  HEARTRATE,
  openNewEnvironment,
  STEPS,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'
import type { Webhook } from '../webhooks.schema.ts'

const salus = useFixture(createHarness)
let environment: WebhookEnvironment
before(async () => {
  environment = await openNewEnvironment(salus)
})

/** Time as answers write it. */
const now = (): string =>
  salus.clock
    .now()
    .toISOString()
    .replace(/\.\d+Z$/, '+00:00')

const idsOf = (list: { data: Webhook[] }): string[] => list.data.map(({ id }) => id)

describe('a new webhook', () => {
  test('needs no more than a URL', async () => {
    const { id, ...fields } = await environment.succeed('POST', '/webhook', { url: ANY_URL })
    assert.ok(isUuid(id))
    assert.deepEqual(fields, {
      url: ANY_URL,
      description: '',
      rate_limit: null,
      disabled: false,
      disabled_reason: null,
      filter_types: null,
      created_at: now(),
      updated_at: now(),
    })
  })

  test('keeps every field that is given, and is read and listed the same', async () => {
    const given = {
      url: 'https://hooks.example.com:8443/päth?a=1&b=%20',
      description: 'The "first" one',
      rate_limit: 100_000,
      disabled: true,
      filter_types: [STEPS, 'historical.*', 'labtest.order.created'],
    }
    const made = await environment.makeWebhook(given)
    const expected = { ...given, id: made.id, created_at: now(), updated_at: now() }
    assert.deepEqual(made, { ...expected, disabled_reason: 'manual' })
    assert.deepEqual(await environment.succeed('GET', `/webhook/${made.id}`), made)
    const { data } = await environment.succeed('GET', '/webhook')
    assert.deepEqual(
      data.find(({ id }: Webhook) => id === made.id),
      made,
    )
  })

  test('takes null for what may be left out', async () => {
    const nothing = { description: null, rate_limit: null, filter_types: null, secret: null }
    const made = await environment.makeWebhook(nothing)
    const { description, rate_limit, filter_types } = made
    assert.deepEqual([description, rate_limit, filter_types], ['', null, null])
    const { key } = await environment.succeed('GET', `/webhook/${made.id}/secret`)
    assert.match(key, /^whsec_/)
  })

  test('may have the URL of another one', async () => {
    const [first, second] = [await environment.makeWebhook(), await environment.makeWebhook()]
    assert.notEqual(first.id, second.id)
  })

  test('is found by its id in upper case too', async () => {
    const made = await environment.makeWebhook()
    assert.deepEqual(await environment.succeed('GET', `/webhook/${made.id.toUpperCase()}`), made)
  })
})

describe('the list of webhooks', () => {
  let many: WebhookEnvironment
  const made: string[] = []
  before(async () => {
    many = await openNewEnvironment(salus)
    for (let count = 0; count < 52; count += 1) {
      made.push((await many.makeWebhook()).id)
      // Some of the same millisecond.
      if (count % 3 === 0) salus.clock.advance(1)
    }
  })

  test('has fifty on a page, oldest first, and leads to the rest', async () => {
    const first = await many.succeed('GET', '/webhook')
    assert.equal(first.data.length, 50)
    const second = await many.succeed('GET', `/webhook?next_cursor=${first.next_cursor}`)
    assert.equal(second.next_cursor, null)
    const listed = [...idsOf(first), ...idsOf(second)]
    assert.deepEqual(listed.toSorted(), made.toSorted())
    const ages = [...first.data, ...second.data].map(({ created_at: at }: Webhook) => at)
    assert.deepEqual(ages, ages.toSorted())
  })

  test('has as many on a page as asked for', async () => {
    const listed: string[] = []
    const sizes: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { data: Webhook[]; next_cursor: string | null } = await many.succeed(
        'GET',
        `/webhook?limit=20&next_cursor=${cursor}`,
      )
      sizes.push(page.data.length)
      listed.push(...idsOf(page))
      cursor = page.next_cursor
    }
    assert.deepEqual(sizes, [20, 20, 12])
    assert.deepEqual(listed.toSorted(), made.toSorted())
  })

  test('ends with a page that is just full', async () => {
    const { data, next_cursor: next } = await many.succeed('GET', '/webhook?limit=52')
    assert.deepEqual([data.length, next], [52, null])
  })

  test('refuses cursors that are malformed or of another environment', async () => {
    const { next_cursor: cursor } = await many.succeed('GET', '/webhook?limit=1')
    const events = await environment.call('GET', `/event?next_cursor=${cursor}`)
    const foreign = await environment.call('GET', `/webhook?next_cursor=${cursor}`)
    const malformed = await many.call('GET', `/webhook?next_cursor=${cursor.slice(0, -4)}`)
    for (const { status, body } of [events, foreign, malformed]) {
      assert.deepEqual([status, body.detail.error_type], [400, 'invalid_cursor'])
    }
  })

  test('refuses limits that are none', async () => {
    for (const limit of ['0', '251', '-1', '1.5', 'many']) {
      const { status, body } = await many.call('GET', `/webhook?limit=${limit}`)
      assert.equal(status, 422, limit)
      assert.deepEqual(body.detail[0].loc, ['query', 'limit'])
    }
  })
})

describe('a change', () => {
  const CHANGES = {
    url: 'https://other.example.com/',
    description: 'Another',
    rate_limit: 7,
    filter_types: [HEARTRATE, 'provider.*'],
  }

  for (const [name, value] of Object.entries(CHANGES)) {
    test(`of ${name} leaves everything else as it was`, async () => {
      const made = await environment.makeWebhook()
      salus.clock.advance(5)
      const changed = await environment.succeed('PATCH', `/webhook/${made.id}`, { [name]: value })
      assert.deepEqual(changed, { ...made, [name]: value, updated_at: now() })
      assert.deepEqual(await environment.succeed('GET', `/webhook/${made.id}`), changed)
    })
  }

  test('of nothing is one too', async () => {
    const made = await environment.makeWebhook({ ...CHANGES, disabled: true })
    salus.clock.advance(5)
    const changed = await environment.succeed('PATCH', `/webhook/${made.id}`, {})
    assert.deepEqual(changed, { ...made, updated_at: now() })
  })

  test('takes back what was set', async () => {
    const made = await environment.makeWebhook(CHANGES)
    const nothing = { rate_limit: null, filter_types: null, description: '' }
    const changed = await environment.succeed('PATCH', `/webhook/${made.id}`, nothing)
    assert.deepEqual(changed, { ...made, ...nothing, updated_at: now() })
  })

  test('of an unknown webhook is 404', async () => {
    const answer = await environment.call('PATCH', `/webhook/${newId()}`, CHANGES)
    assert.deepEqual([answer.status, answer.body], [404, { detail: 'Webhook not found.' }])
  })
})

describe('disabling', () => {
  test('and enabling say why, and what was disabled stays so for the same reason', async () => {
    const { id } = await environment.makeWebhook()
    const set = async (disabled: boolean) => {
      const changed = await environment.succeed('PATCH', `/webhook/${id}`, { disabled })
      return [changed.disabled, changed.disabled_reason]
    }
    assert.deepEqual(await set(true), [true, 'manual'])
    assert.deepEqual(await set(true), [true, 'manual'])
    assert.deepEqual(await set(false), [false, null])
    assert.deepEqual(await set(false), [false, null])
  })

  test('cancels what waits, which enabling does not bring back', async () => {
    const own = await openNewEnvironment(salus)
    const { id } = await own.makeWebhook()
    const eventId = await own.raise()
    await own.dispatch()
    const status = async () =>
      (await own.succeed('GET', `/event/${eventId}`)).deliveries[0].status as string
    assert.equal(await status(), 'pending')
    await own.succeed('PATCH', `/webhook/${id}`, { disabled: true })
    assert.equal(await status(), 'cancelled')
    await own.succeed('PATCH', `/webhook/${id}`, { disabled: false })
    assert.equal(await status(), 'cancelled')
  })
})
