import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import { VendorError, type VendorRequest } from '../vendor-client.ts'
import { WITHINGS } from './withings.connector.ts'
import { failureOf, toStandardAnswer } from './withings-api.ts'
import { WITHINGS_PUSH } from './withings-push.ts'

const answerOf = (body: unknown, status = 200) =>
  new OutboundAnswer('vendor', status, {}, Buffer.from(JSON.stringify(body)))

test('a token answer is unwrapped, and names the account', async () => {
  const body = {
    userid: 363,
    access_token: 'a',
    refresh_token: 'r',
    expires_in: 10_800,
    scope: 'user.info,user.metrics',
    token_type: 'Bearer',
  }
  assert.deepEqual(toStandardAnswer({ status: 0, body }), body)
  assert.ok(WITHINGS.auth.kind === 'oauth')
  const tokens = { accessToken: 'a', refreshToken: 'r', expiresAt: null, extra: { userid: '363' } }
  const noRequest = () => Promise.reject(new Error('a request'))
  assert.equal(await WITHINGS.auth.identify(noRequest, tokens), '363')
  const { extra: _extra, ...bare } = tokens
  await assert.rejects(WITHINGS.auth.identify(noRequest, bare), VendorError)
})

test('an error of a token request is a number with a text, and HTTP 200', () => {
  for (const [status, text, error] of [
    [503, 'Invalid Params: invalid code', 'invalid_grant'],
    [503, 'Invalid Params: invalid refresh_token', 'invalid_grant'],
    [401, 'invalid_token: The access token provided is invalid', 'invalid_grant'],
    [503, 'Invalid Params: invalid client_secret', 'invalid_client'],
    [503, undefined, 'invalid_request'],
    [293, 'The callback URL is either absent or incorrect', 'invalid_request'],
    [601, 'Too many requests', 'slow_down'],
    [522, 'Timeout', 'temporarily_unavailable'],
    [524, undefined, 'temporarily_unavailable'],
  ] as const) {
    assert.deepEqual(toStandardAnswer({ status, body: {}, error: text }), { error })
  }
  assert.throws(() => toStandardAnswer(7), VendorError)
})

test('the status in the body says why a request failed', () => {
  const kindOf = (status: unknown) => failureOf(answerOf({ status, body: {} }))?.kind
  for (const [statuses, kind] of [
    [[0], undefined],
    [[100, 102, 200, 401], 'unauthorized'],
    [[214, 277, 2553, 2555], 'refused'],
    [[601], 'rate_limited'],
    [[215, 518, 522, 524], 'unavailable'],
    [[201, 293, 381, 501, 532, 2554, 9999], 'unexpected'],
  ] as const) {
    for (const status of statuses) assert.equal(kindOf(status), kind, String(status))
  }
  assert.equal(failureOf(answerOf({ body: {}, status: 401 }))?.kind, 'unauthorized')
  assert.equal(failureOf(answerOf({ body: {}, status: 0 })), undefined)
  assert.equal(failureOf(answerOf('x', 503)), undefined)
  assert.equal(failureOf(new OutboundAnswer('vendor', 200, {}, Buffer.from('{"st'))), undefined)
})

test('pages are requested by forms, and continue while there is more', () => {
  const range = { from: Date.UTC(2026, 1, 10), to: Date.UTC(2026, 1, 11) }
  const pageOf = (name: string, cursor: string | null = null) =>
    WITHINGS.collections.find((one) => one.name === name)?.page(range, cursor, NO_CONTEXT)
  assert.deepEqual(pageOf('measures', '200'), {
    method: 'POST',
    path: '/measure',
    form: {
      action: 'getmeas',
      meastypes: '1,5,6,9,10,11,12,54,71,76,77,88,170',
      category: '1',
      startdate: '1770681600',
      enddate: '1770768000',
      offset: '200',
    },
  })
  const { form } = pageOf('sleep') ?? {}
  assert.deepEqual([form?.startdateymd, form?.enddateymd], ['2026-02-09', '2026-02-12'])
  const next = (body: object) =>
    WITHINGS.collections[0]?.next({ status: 0, body }, { range, cursor: null, context: NO_CONTEXT })
  assert.equal(next({ more: true, offset: 200 }), '200')
  assert.equal(next({ more: 1, offset: 400 }), '400')
  for (const body of [{ more: false, offset: 200 }, { more: 0 }, { offset: 3 }, { more: 1 }]) {
    assert.equal(next(body), null)
  }
})

const read = (text: string) => WITHINGS_PUSH.read(WITHINGS_PUSH.parse?.(Buffer.from(text)))

test('a message is a form that names the person, the kind and the time', () => {
  const range = { from: 1_770_700_000_000, to: 1_770_700_001_000 }
  const times = 'startdate=1770700000&enddate=1770700000'
  assert.deepEqual(read(`userid=363&${times}&appli=1`), [
    { accountId: '363', collection: 'measures', range },
  ])
  assert.deepEqual(read(`userid=363&${times}&appli=54`), [
    { accountId: '363', collection: 'heart', range },
  ])
  const day = { from: Date.UTC(2026, 1, 9, 10), to: Date.UTC(2026, 1, 11, 12) }
  assert.deepEqual(
    read('userid=363&appli=16&date=2026-02-10'),
    ['activity', 'intraday', 'workouts'].map((collection) => ({
      accountId: '363',
      collection,
      range: day,
    })),
  )
  assert.deepEqual(read('userid=363&appli=44'), [
    { accountId: '363', collection: 'sleep', range: null },
  ])
  assert.deepEqual(read('userid=363&appli=50&date=2026-02-10'), [])
  assert.deepEqual(read('userid=363&appli=constructor'), [])
  for (const odd of ['', 'userid=363', 'appli=1', 'userid=&appli=1']) {
    assert.throws(() => read(odd), VendorError)
  }
})

test('a message says that a person ended the access', () => {
  const ended = [{ accountId: '363', collection: null, range: null }]
  assert.deepEqual(read('userid=363&appli=46&action=unlink'), ended)
  assert.deepEqual(read('userid=363&appli=46&action=delete'), ended)
  assert.deepEqual(read('userid=363&appli=46&action=update'), [])
})

test('the address answers when the vendor looks whether it exists', () => {
  const answerTo = (method: 'GET' | 'HEAD' | 'POST', text = '') =>
    WITHINGS_PUSH.answerHandshake?.(
      { method, query: {}, headers: {}, body: Buffer.from(text) },
      { clientId: 'c', clientSecret: 's' },
    )
  const good = { status: 200, body: '' }
  assert.deepEqual([answerTo('HEAD'), answerTo('GET'), answerTo('POST')], [good, good, good])
  assert.equal(answerTo('POST', 'userid=363&appli=1'), undefined)
  assert.equal(WITHINGS_PUSH.verify, undefined)
})

test('a person is subscribed to each kind once, at the present address', async () => {
  const address = 'https://salus.example/push/secret'
  const subscribe = async (profiles: readonly object[]) => {
    const forms: VendorRequest['form'][] = []
    const fetchJson = (request: object) => {
      const { form } = request as VendorRequest
      forms.push(form)
      return Promise.resolve({ status: 0, body: form?.action === 'list' ? { profiles } : {} })
    }
    const tokens = { accessToken: 'a', refreshToken: null, expiresAt: null }
    await WITHINGS_PUSH.subscribeUser?.(fetchJson, tokens, address)
    return forms.slice(1)
  }
  const created = await subscribe([])
  assert.deepEqual(created[0], { action: 'subscribe', callbackurl: address, appli: '1' })
  const kinds = created.map((form) => Number(form?.appli))
  assert.deepEqual(kinds, [1, 2, 4, 16, 44, 54, 46])
  const known = kinds.map((appli) => ({ appli, callbackurl: address }))
  assert.deepEqual(await subscribe(known), [])
  const moved = [...known.slice(1), { appli: 1, callbackurl: 'https://old.example' }]
  assert.deepEqual(await subscribe(moved), [
    {
      action: 'update',
      callbackurl: 'https://old.example',
      appli: '1',
      new_callbackurl: address,
      new_appli: '1',
    },
  ])
})
