import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '@salus/contracts/time-units'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { botCheckFailure } from './bot-check.ts'

const HTML = { 'content-type': 'text/html; charset=UTF-8' }
const failureOf = (status: number, headers: Record<string, string>, body: string) =>
  botCheckFailure(new OutboundAnswer('vendor', status, headers, Buffer.from(body)))

test('the page of a check for bots is no answer of the vendor', () => {
  const blocked = { kind: 'blocked', retryAfterMs: HOUR_MS }
  const page = '<html><title>Attention Required! | Cloudflare</title></html>'
  for (const status of [403, 429, 430, 503]) {
    assert.deepEqual(failureOf(status, HTML, page), blocked)
  }
  assert.deepEqual(failureOf(403, { ...HTML, 'cf-mitigated': 'challenge' }, '<html>'), blocked)
  assert.deepEqual(failureOf(403, HTML, '<H1>Access Denied</H1>'), blocked)
  assert.deepEqual(failureOf(403, { 'content-type': 'text/plain' }, 'error code: 1020'), blocked)
  const limited = failureOf(429, { ...HTML, 'retry-after': '120' }, page)
  assert.deepEqual(limited, { kind: 'blocked', retryAfterMs: 120_000 })
})

test('other refusals, also as a page, are those of the vendor', () => {
  assert.equal(failureOf(403, HTML, '<html>Your subscription has ended</html>'), undefined)
  assert.equal(failureOf(403, { 'content-type': 'application/json' }, '{"a":"captcha"}'), undefined)
  assert.equal(failureOf(401, HTML, 'Cloudflare'), undefined)
  assert.equal(failureOf(200, HTML, 'captcha'), undefined)
})
