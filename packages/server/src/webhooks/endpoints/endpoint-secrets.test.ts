import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { createHarness } from '../../../test/harness.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import {
  ANY_URL,
  openEnvironment,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'

const salus = useFixture(createHarness)
let environment: WebhookEnvironment
before(async () => {
  environment = await openEnvironment(salus)
})

const makeSecret = (bytes: number): string => `whsec_${randomBytes(bytes).toString('base64')}`
const readKey = async (id: string): Promise<string> =>
  (await environment.succeed('GET', `/webhook/${id}/secret`)).key
const rotate = (id: string, body: object = {}) =>
  environment.succeed('POST', `/webhook/${id}/secret/rotate`, body)

describe('the secret of a webhook', () => {
  test('is made when none is given, each time another one of 24 bytes', async () => {
    const keys = new Set<string>()
    for (let count = 0; count < 3; count += 1)
      keys.add(await readKey((await environment.makeWebhook()).id))
    assert.equal(keys.size, 3)
    for (const key of keys) assert.match(key, /^whsec_[A-Za-z0-9+/]{32}$/)
  })

  test('is the given one, in the usual form', async () => {
    for (const bytes of [24, 25, 32, 64]) {
      const secret = makeSecret(bytes)
      const withoutPrefix = secret.slice('whsec_'.length)
      for (const given of [secret, withoutPrefix, secret.replace(/=+$/, '')]) {
        const { id } = await environment.makeWebhook({ secret: given })
        assert.equal(await readKey(id), secret)
      }
    }
  })

  test('is shown nowhere else', async () => {
    const secret = makeSecret(24)
    const made = await environment.call('POST', '/webhook', { url: ANY_URL, secret })
    const { id } = made.body
    const changed = await environment.call('PATCH', `/webhook/${id}`, { description: 'Changed' })
    const read = await environment.call('GET', `/webhook/${id}`)
    const listed = await environment.call('GET', '/webhook?limit=250')
    for (const { text } of [made, changed, read, listed]) {
      assert.ok(text.includes(id))
      assert.ok(!text.includes(secret.slice(6, 26)))
    }
  })

  test('is exchanged by a rotation, for a given one or a new one', async () => {
    const { id } = await environment.makeWebhook()
    const seen = [await readKey(id)]
    const given = makeSecret(32)
    const answer = await environment.call('POST', `/webhook/${id}/secret/rotate`, { key: given })
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.equal(await readKey(id), given)
    for (const body of [{}, { key: null }]) {
      await rotate(id, body)
      seen.push(await readKey(id))
    }
    assert.equal(new Set(seen).size, 3)
    assert.match(seen[2] ?? '', /^whsec_[A-Za-z0-9+/]{32}$/)
  })

  test('of an unknown webhook is 404', async () => {
    const path = `/webhook/${newId()}/secret`
    for (const answer of [
      await environment.call('GET', path),
      await environment.call('POST', `${path}/rotate`, {}),
    ]) {
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Webhook not found.' }])
    }
  })
})

describe('the headers of a webhook', () => {
  const put = (id: string, headers: object) =>
    environment.succeed('PUT', `/webhook/${id}/headers`, { headers })
  const read = (id: string) => environment.succeed('GET', `/webhook/${id}/headers`)

  test('are none at first, and replaced as a whole', async () => {
    const { id } = await environment.makeWebhook()
    assert.deepEqual(await read(id), { headers: {}, sensitive: [] })
    const answer = await environment.call('PUT', `/webhook/${id}/headers`, {
      headers: { 'X-Kind': 'health', 'x-empty': '', 'x-latin': 'é' },
    })
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.deepEqual(await read(id), {
      headers: { 'X-Kind': '****', 'x-empty': '****', 'x-latin': '****' },
      sensitive: ['X-Kind', 'x-empty', 'x-latin'],
    })
    await put(id, { 'x-other': 'one' })
    assert.deepEqual((await read(id)).headers, { 'x-other': '****' })
    await put(id, {})
    assert.deepEqual(await read(id), { headers: {}, sensitive: [] })
  })

  test('are only named, whatever their names, and the mask is no value', async () => {
    const { id } = await environment.makeWebhook()
    const names = ['Authorization', 'Cookie', 'X-Api-Key', 'x-kind', 'x-environment']
    await put(id, Object.fromEntries(names.map((name) => [name, 'hush-hush'])))
    const answer = await environment.call('GET', `/webhook/${id}/headers`)
    assert.ok(!answer.text.includes('hush-hush'))
    assert.deepEqual(answer.body.sensitive.toSorted(), names.toSorted())
    assert.deepEqual(new Set(Object.values(answer.body.headers)), new Set(['****']))
    const { headers } = answer.body
    const sentBack = await environment.call('PUT', `/webhook/${id}/headers`, { headers })
    assert.deepEqual([sentBack.status, sentBack.body.detail[0].type], [422, 'invalid_header'])
  })

  test('change the webhook, and are no part of it', async () => {
    const made = await environment.makeWebhook()
    salus.clock.advance(5)
    await put(made.id, { 'x-kind': 'health' })
    const { updated_at: at, ...rest } = await environment.succeed('GET', `/webhook/${made.id}`)
    const { updated_at: before, ...expected } = made
    assert.deepEqual(rest, expected)
    assert.notEqual(at, before)
  })

  test('of an unknown webhook are 404', async () => {
    const path = `/webhook/${newId()}/headers`
    assert.equal((await environment.call('GET', path)).status, 404)
    assert.equal((await environment.call('PUT', path, { headers: {} })).status, 404)
  })
})

describe('in the database', () => {
  /** Whatever a column of the webhook holds, as bytes. */
  async function columnsOf(id: string): Promise<[string, Buffer][]> {
    const { rows } = await salus.database.pool.query(
      'select * from webhook_endpoints where id = $1',
      [id],
    )
    return Object.entries(rows[0]).map(([column, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      return [column, Buffer.isBuffer(value) ? value : Buffer.from(text)]
    })
  }

  test('secrets and header values are sealed, former secrets too', async () => {
    const secrets = [makeSecret(24), makeSecret(24), makeSecret(24)]
    const { id } = await environment.makeWebhook({ secret: secrets[0] })
    await rotate(id, { key: secrets[1] })
    await rotate(id, { key: secrets[2] })
    const headers = { authorization: 'Bearer hush-hush', 'x-kind': 'a plain value' }
    await environment.succeed('PUT', `/webhook/${id}/headers`, { headers })
    const raw = secrets.map((secret) => Buffer.from(secret.slice(6), 'base64'))
    const clues = [
      ...secrets.map((secret) => Buffer.from(secret.slice(6))),
      ...raw,
      ...['hush-hush', 'a plain value', 'authorization', 'x-kind'].map((text) => Buffer.from(text)),
    ]
    const columns = await columnsOf(id)
    assert.ok(columns.some(([name]) => name === 'former_secrets'))
    for (const [name, bytes] of columns) {
      for (const clue of clues) {
        const forms = [
          clue,
          Buffer.from(clue.toString('base64')),
          Buffer.from(clue.toString('hex')),
        ]
        for (const form of forms) assert.ok(!bytes.includes(form), `${name} holds ${clue}`)
      }
    }
  })

  test('one that is put in the place of another is not opened', async () => {
    salus.errors.expect('request failed')
    const [first, second] = [await environment.makeWebhook(), await environment.makeWebhook()]
    const { pool } = salus.database
    await pool.query(
      `update webhook_endpoints set secret = (select secret from webhook_endpoints where id = $1)
      where id = $2`,
      [first.id, second.id],
    )
    assert.equal((await environment.call('GET', `/webhook/${second.id}/secret`)).status, 500)
    await environment.succeed('DELETE', `/webhook/${second.id}`)
  })

  test('a secret is sealed differently each time', async () => {
    const secret = makeSecret(24)
    const [first, second] = [
      await environment.makeWebhook({ secret }),
      await environment.makeWebhook({ secret }),
    ]
    const sealed = async (id: string) => new Map(await columnsOf(id)).get('secret')
    assert.notDeepEqual(await sealed(first.id), await sealed(second.id))
  })
})
