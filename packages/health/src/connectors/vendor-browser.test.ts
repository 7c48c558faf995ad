import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { CookieJar } from './cookie-jar.ts'
import { createBrowser, decodeEntities, readForms, readMeta } from './vendor-browser.ts'
import { VendorError, type VendorRequest } from './vendor-client.ts'

const HOSTS = { api: 'https://www.vendor.example', sso: 'https://sso.vendor.example' }
const NOW = Date.UTC(2026, 2, 1)

type Answer = [status: number, headers: Record<string, string | string[]>, body?: string]

/** A browser, its requests, and a vendor with an answer by `host path` without the query. */
function open(answers: Record<string, Answer>, more: { callback?: string; saved?: string } = {}) {
  const sent: VendorRequest[] = []
  const browser = createBrowser(
    async (wanted) => {
      sent.push(wanted)
      const [status, headers, body = ''] = answers[
        `${wanted.host} ${wanted.path.split('?')[0]}`
      ] ?? [404, {}]
      return new OutboundAnswer('vendor', status, headers, Buffer.from(body))
    },
    HOSTS,
    { slug: 'oura', now: NOW, headers: { 'user-agent': 'test' }, ...more },
  )
  return { browser, sent }
}

test('cookies go to the hosts and paths for which they were set', () => {
  const jar = new CookieJar()
  const url = new URL('https://sso.vendor.example/login/start')
  jar.store(
    url,
    [
      'a=1; Path=/; Secure; HttpOnly',
      'b=2',
      'c=3; Domain=.vendor.example; Path=/',
      'd=4; Domain=other.example',
      'e=5; Domain=example',
      'f=6; Max-Age=60',
      'g=x=y==; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      'no cookie',
    ],
    NOW,
  )
  const header = (address: string, at = NOW) => jar.headerFor(new URL(address), at)
  assert.equal(header('https://sso.vendor.example/login/next'), 'b=2; f=6; a=1; c=3')
  assert.equal(header('https://sso.vendor.example/login/next', NOW + 60_000), 'b=2; a=1; c=3')
  assert.equal(header('https://sso.vendor.example/loginx'), 'a=1; c=3')
  assert.equal(header('https://www.vendor.example/'), 'c=3')
  assert.equal(header('https://vendor.example.evil.example/'), undefined)
  jar.store(url, ['a=7; Path=/', 'c=; Domain=vendor.example; Path=/; Max-Age=0'], NOW)
  const kept = new CookieJar(jar.save())
  assert.equal(kept.headerFor(new URL('https://sso.vendor.example/'), NOW), 'a=7')
})

test('forms have their preset fields, with entities decoded', () => {
  const [form, search] = readForms(`
    <!-- <form action="/hidden"><input name="x"></form> -->
    <form id=f method='POST' action="/login?a=1&amp;b=2">
      <input type="hidden" name="_csrf" value="t&#x3D;&quot;&#49;&quot;&eacute;"/>
      <input name=email><input type="checkbox" name="stay" checked>
      <input type="checkbox" name="news"><input type="submit" name="go" value="Go">
    </form><FORM><INPUT NAME="q" VALUE='a > b'></FORM>`)
  assert.deepEqual(form, {
    action: '/login?a=1&b=2',
    method: 'POST',
    fields: { _csrf: 't="1"&eacute;', email: '', stay: 'on' },
  })
  assert.deepEqual(search, { action: '', method: 'GET', fields: { q: 'a > b' } })
  assert.equal(readMeta('<meta content="t&amp;1" name="csrf-token">', 'csrf-token'), 't&1')
  assert.equal(readMeta('<meta name="other" content="x">', 'csrf-token'), undefined)
  assert.equal(decodeEntities('&#9999999; &#x41; &nbsp;'), '&#9999999; A \u{a0}')
})

test('a sign-in follows redirects with cookies until the callback of the app', async () => {
  const { browser, sent } = open(
    {
      'api /login': [
        302,
        { location: 'https://sso.vendor.example/start?x=1', 'set-cookie': ['w=1; Path=/', 'v=2'] },
      ],
      'sso /start': [
        200,
        { 'set-cookie': 's=1; Path=/' },
        '<form method="post" action="check"><input type="hidden" name="t" value="9"></form>',
      ],
      'sso /check': [303, { location: '/done' }],
      'sso /done': [302, { location: 'vendor-app://signed-in?ticket=T' }],
    },
    { callback: 'vendor-app://signed-in' },
  )
  const page = await browser.open({ path: '/login', query: { lang: 'en' } })
  assert.equal(page.url.href, 'https://sso.vendor.example/start?x=1')
  const [form] = page.forms()
  assert.ok(form !== undefined)
  const end = await browser.submit(page, form, { password: 'secret' })
  assert.equal(end.callback?.searchParams.get('ticket'), 'T')
  assert.deepEqual(
    sent.map(({ method, host, path, form, headers }) => [
      method,
      host,
      path,
      form,
      headers?.cookie,
    ]),
    [
      [undefined, 'api', '/login?lang=en', undefined, undefined],
      [undefined, 'sso', '/start?x=1', undefined, undefined],
      ['POST', 'sso', '/check', { t: '9', password: 'secret' }, 's=1'],
      [undefined, 'sso', '/done', undefined, 's=1'],
    ],
  )
  assert.ok(sent.every(({ headers }) => headers?.['user-agent'] === 'test'))
  assert.equal(browser.cookie('api', 'w'), '1')
  const later = open({ 'sso /start': [200, {}] }, { saved: browser.save() })
  await later.browser.open({ host: 'sso', path: '/start' })
  assert.equal(later.sent[0]?.headers?.cookie, 's=1')
})

test('a redirect to another host, without an end, or to nowhere is an unexpected answer', async () => {
  for (const location of [
    'https://evil.example/',
    'https://www.vendor.example.evil/',
    '/loop',
    'https://',
  ]) {
    const { browser, sent } = open({
      'api /login': [302, { location }],
      'api /loop': [302, { location }],
    })
    await assert.rejects(browser.open({ path: '/login' }), (error: unknown) => {
      assert.ok(error instanceof VendorError)
      assert.deepEqual(error.failure, { kind: 'unexpected', status: null })
      return true
    })
    assert.ok(sent.length <= 21)
  }
})

test('a redirect that keeps the method repeats the body', async () => {
  const { browser, sent } = open({
    'api /one': [307, { location: '/two' }],
    'api /two': [200, {}, 'good'],
  })
  const page = await browser.open({ method: 'POST', path: '/one', json: { a: 1 } })
  assert.equal(page.text(), 'good')
  assert.deepEqual([sent[1]?.method, sent[1]?.json], ['POST', { a: 1 }])
})
