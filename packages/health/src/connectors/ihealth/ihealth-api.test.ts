import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import { VendorError, vendorUrl } from '../vendor-client.ts'
import { IHEALTH } from './ihealth.connector.ts'
import { authorize, failureOf, toStandardAnswer } from './ihealth-api.ts'

const TOKENS = {
  accessToken: 'token',
  refreshToken: 'r',
  expiresAt: null,
  extra: { UserID: 'person/1' },
}
const [BP] = IHEALTH.collections
const DAY = { from: Date.UTC(2026, 1, 10), to: Date.UTC(2026, 1, 11) }

test('a token answer has other names, and the account that paths name', async () => {
  const answer = {
    APIName: 'OpenApiBP OpenApiBG',
    AccessToken: 'a',
    Expires: 3_672_000,
    RefreshToken: 'r',
    RefreshTokenExpires: 9_999,
    UserID: 'u1',
    UserRegion: 'US',
  }
  assert.deepEqual(toStandardAnswer(answer), {
    access_token: 'a',
    refresh_token: 'r',
    expires_in: 3_672_000,
    token_type: 'bearer',
    scope: 'OpenApiBP OpenApiBG',
    UserID: 'u1',
  })
  assert.ok(IHEALTH.auth.kind === 'oauth')
  const noRequest = () => Promise.reject(new Error('a request'))
  assert.equal(await IHEALTH.auth.identify(noRequest, TOKENS), 'person/1')
  const { extra: _extra, ...bare } = TOKENS
  await assert.rejects(IHEALTH.auth.identify(noRequest, bare), VendorError)
  const { refresh } = IHEALTH.auth.parameters ?? {}
  assert.ok(typeof refresh === 'function')
  const app = { clientId: 'c', clientSecret: 's' }
  assert.deepEqual(refresh(app, TOKENS), { response_type: 'refresh_token', UserID: 'person/1' })
})

test('an error of a token request is converted', () => {
  for (const [name, ErrorDescription, error] of [
    ['invalid_grant', 'The code was used', 'invalid_grant'],
    ['Refresh token is invalid', '', 'invalid_grant'],
    ['Wrong client', '', 'invalid_client'],
    [null, undefined, 'invalid_request'],
  ] as const) {
    assert.deepEqual(toStandardAnswer({ Error: name, ErrorCode: 5008, ErrorDescription }), {
      error,
    })
  }
  assert.throws(() => toStandardAnswer([]), VendorError)
})

test('every request has the credentials and secrets of the app in its address', () => {
  const secrets = {
    sc: 'SC',
    sv_bp: 'SV1',
    sv_glucose: 'SV2',
    redirect_uri: 'https://x.example/cb',
  }
  const app = { clientId: 'c', clientSecret: 's', secrets }
  const request = BP?.page(DAY, '3', NO_CONTEXT)
  assert.ok(request !== undefined)
  const url = new URL(vendorUrl(IHEALTH.hosts, authorize(request, TOKENS, app)))
  assert.equal(url.host, 'api.ihealthlabs.com:8443')
  assert.equal(url.pathname, '/openapiv2/user/person%2F1/bp.json/')
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    client_id: 'c',
    client_secret: 's',
    access_token: 'token',
    redirect_uri: 'https://x.example/cb',
    sc: 'SC',
    sv: 'SV1',
    locale: 'default',
    // One more day on both sides.
    start_time: '1770595200',
    end_time: '1770854400',
    page_index: '3',
  })
  const bare = new URL(vendorUrl(IHEALTH.hosts, authorize(request, TOKENS, undefined)))
  assert.equal(bare.searchParams.has('sc'), false)
})

test('pages continue while the vendor names the next one', () => {
  const request = { range: DAY, cursor: null, context: NO_CONTEXT }
  assert.equal(BP?.next({ NextPageUrl: 'https://x', PageNumber: 1 }, request), '2')
  for (const odd of [{ NextPageUrl: '', PageNumber: 1 }, { NextPageUrl: 'x' }, { PageNumber: 1 }]) {
    assert.equal(BP?.next(odd, request), null)
  }
})

test('an error is one with any status; its text says what it means', () => {
  const kindOf = (body: unknown, status = 200) =>
    failureOf(new OutboundAnswer('vendor', status, {}, Buffer.from(JSON.stringify(body))))?.kind
  for (const [text, kind] of [
    ['access_token is expired', 'unauthorized'],
    ['invalid token', 'unauthorized'],
    ['request limit reached', 'rate_limited'],
    ['access denied', 'refused'],
    ['server error', 'unavailable'],
    ['wrong sv', 'unexpected'],
  ] as const) {
    for (const status of [200, 500]) {
      assert.equal(kindOf({ Error: text, ErrorCode: 5008, ErrorDescription: text }, status), kind)
    }
  }
  assert.equal(kindOf({ BPDataList: [] }), undefined)
  assert.equal(kindOf({ Error: 'x' }), undefined)
  assert.equal(failureOf(new OutboundAnswer('v', 500, {}, Buffer.from('{"Error'))), undefined)
})
