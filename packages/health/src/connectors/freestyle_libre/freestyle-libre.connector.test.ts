import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import { VENDOR_PAGES } from '../../../../server/test/connectors/vendor-pages.registry.ts'
import type { EmailSignIn } from '../connector.ts'
import { PageData } from '../page-data.ts'
import { type Send, VendorError, type VendorFailure, type VendorRequest } from '../vendor-client.ts'
import { FREESTYLE_LIBRE } from './freestyle-libre.connector.ts'

const { invite, renew, regions } = FREESTYLE_LIBRE.auth as EmailSignIn
const APP = { clientId: 'practice', clientSecret: 'secret' }
const GIVEN = { email: 'person@example.com', region: 'gb', app: APP }
const SESSION = [201, { session_token: 'session', expires_at: '2026-03-01T12:00:00Z' }] as const

/** A fake vendor that answers the request of a session and then all others. */
function makeVendor(...answers: readonly (readonly [status: number, body: unknown])[]) {
  const asked: VendorRequest[] = []
  const send: Send = (request) => {
    asked.push(request)
    const [status, body] = answers[Math.min(asked.length, answers.length) - 1] ?? [500, '']
    return Promise.resolve(answerOf(status, body))
  }
  return { send, asked }
}

const answerOf = (status: number, body: unknown) =>
  new OutboundAnswer('vendor', status, {}, Buffer.from(JSON.stringify(body)))

const errorOf = (code: string) => ({ error: { code, message: 'no' } })

async function failureOf(work: Promise<unknown>): Promise<VendorFailure> {
  const error = await work.then(
    () => assert.fail('there was an answer'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof VendorError, String(error))
  return error.failure
}

test('a practice invites a person, and sees the data of whoever accepts', async () => {
  const accepted = {
    invitation: { id: 'i', status: 'accepted' },
    patient: { id: 'p/1', region: 'gb' },
  }
  const { send, asked } = makeVendor(SESSION, [201, accepted])
  const outcome = await invite(send, GIVEN)
  assert.deepEqual(outcome, {
    state: 'signed_in',
    accountId: 'p/1',
    tokens: {
      accessToken: 'session',
      refreshToken: null,
      expiresAt: Date.UTC(2026, 2, 1, 12),
      extra: { patientId: 'p/1' },
    },
  })
  assert.deepEqual(asked[0]?.json, { client_id: 'practice', client_secret: 'secret' })
  assert.deepEqual(asked[1]?.json, { email: 'person@example.com', region: 'gb' })
  assert.ok(outcome.state === 'signed_in')
  const range = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 2) }
  const wanted = FREESTYLE_LIBRE.collections[0]?.page(range, null, NO_CONTEXT)
  const request =
    wanted && FREESTYLE_LIBRE.authorize?.(wanted, outcome.tokens, { ...APP, settings: {} })
  assert.equal(request?.path, '/v1/patients/p%2F1/glucose')
  assert.equal(request?.headers?.authorization, 'Bearer session')
  const renewed = await renew(makeVendor(SESSION).send, outcome.tokens, APP)
  assert.deepEqual(renewed, outcome.tokens)
})

test('whoever does not accept is not connected', async () => {
  const invitation = (status: string) => [201, { invitation: { id: 'i', status } }] as const
  for (const [answer, reason] of [
    [invitation('declined'), 'wrong_credential'],
    [invitation('pending'), 'wrong_credential'],
    [[404, errorOf('account_not_found')], 'wrong_credential'],
    [[422, errorOf('unsupported_region')], 'unsupported_region'],
  ] as const) {
    const outcome = await invite(makeVendor(SESSION, answer).send, GIVEN)
    assert.deepEqual(outcome, { state: 'refused', reason })
  }
  const failures: [readonly (readonly [number, unknown])[], VendorFailure['kind']][] = [
    [[SESSION, [503, '']], 'unavailable'],
    [[SESSION, [201, {}]], 'unexpected'],
    [[[401, errorOf('invalid_client')]], 'unexpected'],
    [[[201, {}]], 'unexpected'],
  ]
  for (const [answers, kind] of failures) {
    assert.equal((await failureOf(invite(makeVendor(...answers).send, GIVEN))).kind, kind)
  }
})

test('a person who takes the consent back ends the connection', () => {
  const of = (status: number, body: unknown) => FREESTYLE_LIBRE.failureOf?.(answerOf(status, body))
  const ended = (errorType: string) => ({ kind: 'ended', errorType })
  assert.deepEqual(of(403, errorOf('no_consent')), ended('deregistered_per_provider'))
  assert.deepEqual(of(404, errorOf('patient_not_found')), ended('user_not_found'))
  assert.equal(of(403, errorOf('x')), undefined)
  assert.equal(of(404, ''), undefined)
  assert.equal(of(200, {}), undefined)
})

test('all records stand at the local time of the person', () => {
  const data = new PageData({ userId: 'u', provider: 'freestyle_libre' })
  for (const { name, map } of FREESTYLE_LIBRE.collections) {
    const pages = VENDOR_PAGES.freestyle_libre?.[name]
    const request = { range: { from: 0, to: 0 }, cursor: null, context: NO_CONTEXT }
    map(pages?.page(pages.records), data, [], request)
  }
  assert.deepEqual(
    data.samples.map(
      ({ series, startedAt, timezoneOffset, value, text, sampleType, sourceType }) => [
        series,
        startedAt,
        timezoneOffset,
        series === 'note' ? text : Number(value.toFixed(3)),
        sampleType,
        sourceType,
      ],
    ),
    [
      ['glucose', Date.UTC(2026, 2, 1, 6, 45), null, 6.216, 'automatic', 'automatic'],
      ['insulin_injection', Date.UTC(2026, 2, 1, 6, 45), null, 12, 'long_acting', 'unknown'],
      ['carbohydrates', Date.UTC(2026, 2, 1, 6, 45), null, 30, '', 'unknown'],
      ['note', Date.UTC(2026, 2, 1, 6, 45), null, 'Swam', '', 'unknown'],
    ],
  )
})

test('the regions are those of the contract', () => {
  const path = new URL('../../../../../docs/contract/04-providers.md', import.meta.url)
  const page = readFileSync(path, 'utf8')
  const [, all = ''] = /^## Regions\n\n(.*)$/m.exec(page) ?? []
  const codes = all.split(', ')
  assert.deepEqual(
    [...regions.eu.served].sort(),
    codes.filter((code) => !['us', 'eu', 'ca'].includes(code)).sort(),
  )
  const [, us = ''] = /in a us deployment: ([a-z, ]+) \(default us\)/.exec(page) ?? []
  assert.deepEqual([...regions.us.served].sort(), us.split(', ').sort())
  assert.deepEqual([regions.us.default, regions.eu.default], ['us', 'gb'])
})
