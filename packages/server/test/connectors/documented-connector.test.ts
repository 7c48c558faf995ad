import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import {
  createFetchJson,
  exchangeCode,
  type OAuthConnector,
  PageData,
} from '@salus/health/connectors'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { openHttpSink } from '../local-sink.ts'
import { EXAMPLE } from './example.connector.ts'
import { pullCollection } from './pull-collection.ts'

/** The worked example of docs/connectors.md is a connector that works. */

const agent = createOutboundAgent({ allowPrivate: true })
after(() => agent.destroy())

const read = (path: string): string =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

test('the page shows the connector that is tried here', () => {
  const code = read('packages/server/test/connectors/example.connector.ts').replaceAll(
    '../../../health/src/connectors/',
    '../',
  )
  const [, shown] =
    /```ts\n(import type \{ Connector \}.*?)```/s.exec(read('docs/connectors.md')) ?? []
  assert.equal(shown, code)
})

const WEIGHTS = [
  { id: '1', measured_at: '2026-03-01T07:00:00+01:00', grams: 71_500, fat_percent: 22.5 },
  { id: '2', measured_at: '2026-03-02T07:00:00+01:00', grams: 71_300, fat_percent: null },
  { id: '3', measured_at: 'today', grams: 71_300, fat_percent: null },
  { id: '4', measured_at: '2026-03-03T07:00:00+02:00', grams: 900_000, fat_percent: 22.4 },
]

test('it signs in, pages, and maps, against a vendor that speaks as the page says', async (t) => {
  const sink = await openHttpSink(t, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://vendor')
    const say = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (pathname === '/oauth/token') {
      const form = new URLSearchParams(await text(request))
      const isRight = form.get('code') === 'code' && form.get('code_verifier') === 'verifier'
      say(isRight ? 200 : 400, { access_token: 'token', token_type: 'bearer' })
    } else if (request.headers.authorization !== 'Bearer token') say(401, {})
    else if (pathname === '/v1/me') say(200, { id: 'person-1' })
    else if (searchParams.get('page') === null)
      say(200, { items: WEIGHTS.slice(0, 2), next_page: '2' })
    else say(200, { items: WEIGHTS.slice(2), next_page: null })
  })
  const url = sink.url.replace('[::1]', '127.0.0.1')
  const address = { slug: EXAMPLE.slug, hosts: { api: url }, agent }
  const { tokens } = await exchangeCode(
    EXAMPLE as OAuthConnector,
    address,
    { clientId: 'app', clientSecret: 'secret' },
    {
      code: 'code',
      redirectUri: 'https://salus.example/callback',
      codeVerifier: 'verifier',
      callbackQuery: {},
    },
    new Date(),
  )
  const fetchJson = createFetchJson(EXAMPLE, address, tokens)
  assert.ok(EXAMPLE.auth.kind === 'oauth')
  assert.equal(await EXAMPLE.auth.identify(fetchJson, tokens), 'person-1')

  const data = new PageData({ userId: 'u', provider: EXAMPLE.slug })
  const range = { from: Date.UTC(2026, 2, 1), to: Date.UTC(2026, 2, 4) }
  await pullCollection(fetchJson, { connector: EXAMPLE, name: 'weights', range, data })
  assert.deepEqual(
    data.samples.map(({ series, startedAt, value, timezoneOffset }) => [
      series,
      new Date(startedAt).toISOString(),
      value,
      timezoneOffset,
    ]),
    [
      ['body_weight', '2026-03-01T06:00:00.000Z', 71.5, 3600],
      ['body_fat', '2026-03-01T06:00:00.000Z', 22.5, 3600],
      ['body_weight', '2026-03-02T06:00:00.000Z', 71.3, 3600],
      ['body_fat', '2026-03-03T05:00:00.000Z', 22.4, 7200],
    ],
  )
  assert.deepEqual(
    data.quarantined.map(({ resource, reason }) => [resource, reason]),
    [
      ['body_weight', 'invalid_start_date'],
      ['body_weight', 'out_of_range'],
    ],
  )
})
