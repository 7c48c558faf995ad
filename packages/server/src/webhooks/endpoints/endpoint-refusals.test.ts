import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../test/harness.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import {
  ANY_URL,
  openEnvironment,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'
import type { Webhook } from '../webhooks.schema.ts'

const salus = useFixture(createHarness)
let environment: WebhookEnvironment
let kept: Webhook
let id: string
before(async () => {
  environment = await openEnvironment(salus)
  kept = await environment.makeWebhook()
  id = kept.id
})

type Found = [(string | number)[], string][]

/** Where and as what code a request was refused; every message is a sentence of words. */
async function refusals(method: string, path: string, body: unknown): Promise<Found> {
  const answer = await environment.call(method, path, body)
  assert.equal(answer.status, 422, `${JSON.stringify(body)} ${answer.text}`)
  const problems: { loc: (string | number)[]; msg: string; type: string }[] = answer.body.detail
  for (const { msg } of problems) assert.match(msg, /^[A-Z].* .*/)
  return problems.map(({ loc, type }) => [loc, type])
}

/** A field that is refused alike when a webhook is made and when it is changed. */
async function assertRefused(field: string, value: unknown, type: string, ...rest: number[]) {
  const expected = [[['body', field, ...rest], type]]
  const body = { url: ANY_URL, [field]: value }
  assert.deepEqual(await refusals('POST', '/webhook', body), expected)
  assert.deepEqual(await refusals('PATCH', `/webhook/${id}`, { [field]: value }), expected)
}

describe('a URL is refused', () => {
  const PROBLEMS: Record<string, string[]> = {
    https_required: ['http://hooks.example.com/', 'http://127.0.0.1/'],
    credentials_in_url: ['https://ada:secret@example.com/', 'https://ada@example.com/'],
    private_address: [
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0.0.0.0/',
      'https://10.1.2.3/',
      'https://172.16.0.1/',
      'https://192.168.1.1/',
      'https://100.64.0.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[fe80::1]/',
      'https://[fd00:ec2::254]/',
      'https://localhost:8080/',
      'https://api.localhost/',
      'https://metadata.google.internal/',
      'https://printer.local/',
      'https://intranet/',
    ],
    invalid_url: [
      '',
      'hooks.example.com',
      'https://',
      'https://example.com/#fragment',
      'https://example.com/#',
      `https://example.com/${'a'.repeat(2_048)}`,
      `https://example.com/${'ä'.repeat(1_000)}`,
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://example.com/with space',
      ' https://example.com/',
      'https://example.com/line\nbreak',
      'https:\\\\example.com\\',
      'https://exa mple.com/',
      'https://example.com:99999/',
    ],
  }

  for (const [type, urls] of Object.entries(PROBLEMS)) {
    test(`as ${type}`, async () => {
      for (const url of urls) await assertRefused('url', url, type)
    })
  }

  test('when it is missing or no text', async () => {
    assert.deepEqual(await refusals('POST', '/webhook', {}), [[['body', 'url'], 'missing']])
    for (const url of [null, 5, [ANY_URL]]) await assertRefused('url', url, 'type')
  })

  test('but not for being as long as it may be', async () => {
    const url = `https://example.com/${'a'.repeat(2_048 - 20)}`
    const made = await environment.succeed('POST', '/webhook', { url })
    assert.equal(made.url.length, 2_048)
    await environment.succeed('DELETE', `/webhook/${made.id}`)
  })
})

describe('other fields are refused', () => {
  test('filters with a type that no event has', async () => {
    await assertRefused('filter_types', ['daily.data.step.created'], 'unknown_event_type', 0)
    const second = ['daily.*', 'daily.data.sleep']
    await assertRefused('filter_types', second, 'unknown_event_type', 1)
  })

  test('filters that are no list of texts, or too many', async () => {
    await assertRefused('filter_types', 'daily.*', 'type')
    await assertRefused('filter_types', [5], 'type', 0)
    await assertRefused('filter_types', [''], 'too_short', 0)
    await assertRefused('filter_types', [`${'a'.repeat(100)}*`], 'too_long', 0)
    await assertRefused('filter_types', Array(501).fill('*'), 'too_long')
  })

  test('a rate limit that is none', async () => {
    for (const limit of [0, -1]) await assertRefused('rate_limit', limit, 'greater_than_equal')
    await assertRefused('rate_limit', 100_001, 'less_than_equal')
    for (const limit of [1.5, '5', true]) await assertRefused('rate_limit', limit, 'type')
  })

  test('a description that is too long, and what is no flag', async () => {
    await assertRefused('description', 'a'.repeat(1_001), 'too_long')
    await assertRefused('description', 5, 'type')
    await assertRefused('disabled', 'yes', 'type')
    await assertRefused('disabled', null, 'type')
  })
})

describe('a secret is refused', () => {
  const of = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
  const SECRETS = [
    '',
    'whsec_',
    of(23),
    of(65),
    'whsec_not base64 at all, but long enough to be',
    `whsec_${'_-'.repeat(20)}`,
    `whsec_whsec_${'A'.repeat(32)}`,
    'x'.repeat(10_000),
  ]

  test('when a webhook is made or its secret is rotated', async () => {
    for (const secret of SECRETS) {
      const made = await refusals('POST', '/webhook', { url: ANY_URL, secret })
      assert.deepEqual(made, [[['body', 'secret'], 'invalid_secret']])
      const rotated = await refusals('POST', `/webhook/${id}/secret/rotate`, { key: secret })
      assert.deepEqual(rotated, [[['body', 'key'], 'invalid_secret']])
    }
    const rotated = await refusals('POST', `/webhook/${id}/secret/rotate`, { key: 5 })
    assert.deepEqual(rotated, [[['body', 'key'], 'type']])
  })
})

describe('types of events', () => {
  test('that can never come are refused', async () => {
    for (const type of ['raw.fitbit.sleep', 'daily.data.hypnogram.created', 'labtest.*.created']) {
      await assertRefused('filter_types', [type], 'unknown_event_type', 0)
    }
  })
})

describe('headers are refused', () => {
  const put = (headers: unknown) => refusals('PUT', `/webhook/${id}/headers`, { headers })
  const assertHeader = async (name: string, value: string) => {
    const found = await put({ [name]: value })
    assert.deepEqual(found, [[['body', 'headers', name], 'invalid_header']], `${name}: ${value}`)
  }

  test('with names that are none', async () => {
    for (const name of ['', 'two words', 'a:b', 'ä', 'a\nb', 'a'.repeat(101), '(x)', 'a\u0000']) {
      await assertHeader(name, 'x')
    }
  })

  test('with names that would override what Salus sets', async () => {
    const names = ['id', 'timestamp', 'signature'].flatMap((what) => [
      `webhook-${what}`,
      `Svix-${what}`,
    ])
    const others = ['Content-Type', 'content-length', 'Content-Encoding', 'Host', 'Connection']
    const hops = ['transfer-encoding', 'keep-alive', 'TE', 'trailer', 'upgrade', 'expect']
    for (const name of [...names, ...others, ...hops]) await assertHeader(name, 'x')
  })

  test('with values that cannot be sent', async () => {
    for (const value of [
      'a\r\nx-injected: 1',
      'a\nb',
      '\u0000',
      '\u007f',
      '€',
      'a'.repeat(4_097),
    ]) {
      await assertHeader('x-name', value)
    }
  })

  test('with a name in two spellings', async () => {
    assert.deepEqual(await put({ 'X-Name': 'a', 'x-name': 'b' }), [
      [['body', 'headers'], 'invalid_header'],
    ])
  })

  test('that are no headers at all', async () => {
    assert.deepEqual(await put(undefined), [[['body', 'headers'], 'missing']])
    assert.deepEqual(await put(['x-name']), [[['body', 'headers'], 'type']])
    assert.deepEqual(await put({ 'x-name': 5 }), [[['body', 'headers', 'x-name'], 'type']])
  })

  test('and the stored ones stay', async () => {
    await environment.succeed('PUT', `/webhook/${id}/headers`, { headers: { 'x-kept': 'yes' } })
    await put({ 'x-other': 'no', host: 'elsewhere' })
    const { sensitive } = await environment.succeed('GET', `/webhook/${id}/headers`)
    assert.deepEqual(sensitive, ['x-kept'])
  })
})

test('a path that names no webhook, environment or event is refused as such', async () => {
  const { status, body } = await environment.call('GET', '/webhook/not-an-id')
  assert.deepEqual([status, body.detail[0].loc], [422, ['path', 'webhook_id']])
  const url = environment.base.replace('sandbox', 'staging')
  const headers = { 'x-management-key': salus.managementKey }
  const elsewhere = await salus.call('GET', `${url}/webhook`, undefined, headers)
  assert.deepEqual([elsewhere.status, elsewhere.body.detail[0].loc], [422, ['path', 'env']])
  const event = await environment.call('GET', '/event/msg_123')
  assert.deepEqual([event.status, event.body.detail[0].loc], [422, ['path', 'event_id']])
})

test('nothing that was refused was made or changed', async () => {
  assert.deepEqual((await environment.succeed('GET', '/webhook')).data, [kept])
})
