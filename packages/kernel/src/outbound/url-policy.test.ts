import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkUrl, type UrlProblem } from './url-policy.ts'

const STRICT = { allowHttp: false, allowPrivate: false }
const LOOSE = { allowHttp: true, allowPrivate: true }

/** What is said of a URL under the strict policy, and under the one that allows all it can. */
const CASES: readonly [text: string, strict: UrlProblem | null, loose: UrlProblem | null][] = [
  ['https://example.com', null, null],
  ['HTTPS://EXAMPLE.com:8443/hooks/a%20b?key=1&b=%23', null, null],
  ['https://bücher.example/', null, null],
  ['https://1.1.1.1/', null, null],
  ['https://[2606:4700:4700::1111]/', null, null],
  ['https://localhost.example.com/', null, null],
  ['http://example.com/', 'https_required', null],
  ['http://1.1.1.1/', 'https_required', null],
  ['https://me:secret@example.com/', 'credentials_in_url', 'credentials_in_url'],
  ['https://me@example.com/', 'credentials_in_url', 'credentials_in_url'],
  ['https://example.com@127.0.0.1/', 'credentials_in_url', 'credentials_in_url'],
  ['https://localhost/', 'private_address', null],
  ['https://LOCALHOST.:8080/', 'private_address', null],
  ['https://api.localhost/', 'private_address', null],
  ['https://printer.local/', 'private_address', null],
  ['https://metadata.google.internal/', 'private_address', null],
  ['https://router.home.arpa/', 'private_address', null],
  ['https://postgres:5432/', 'private_address', null],
  ['https://127.0.0.1/', 'private_address', null],
  ['https://127.0.0.1./', 'private_address', null],
  ['https://2130706433/', 'private_address', null],
  ['https://0177.0.0.1/', 'private_address', null],
  ['https://0x7f.1/', 'private_address', null],
  ['https://127.1/', 'private_address', null],
  ['https://１２７.0.0.1/', 'private_address', null],
  ['https://%31%32%37.0.0.1/', 'private_address', null],
  ['https://0/', 'private_address', null],
  ['https://169.254.169.254/latest', 'private_address', null],
  ['https://[::1]/', 'private_address', null],
  ['https://[::ffff:127.0.0.1]/', 'private_address', null],
  ['https://[64:ff9b::7f00:1]/', 'private_address', null],
  ['https://[fd00:ec2::254]/', 'private_address', null],
  ['', 'invalid_url', 'invalid_url'],
  ['example.com', 'invalid_url', 'invalid_url'],
  ['//example.com/', 'invalid_url', 'invalid_url'],
  ['https:example.com', 'invalid_url', 'invalid_url'],
  ['https:///example.com', 'invalid_url', 'invalid_url'],
  ['https://', 'invalid_url', 'invalid_url'],
  ['ftp://example.com/', 'invalid_url', 'invalid_url'],
  ['file:///etc/passwd', 'invalid_url', 'invalid_url'],
  ['javascript:alert(1)', 'invalid_url', 'invalid_url'],
  ['https://example.com:99999/', 'invalid_url', 'invalid_url'],
  ['https://1.2.3.256/', 'invalid_url', 'invalid_url'],
  ['https://[fe80::1%25eth0]/', 'invalid_url', 'invalid_url'],
  ['https://example.com/#part', 'invalid_url', 'invalid_url'],
  ['https://example.com/#', 'invalid_url', 'invalid_url'],
  [' https://example.com/', 'invalid_url', 'invalid_url'],
  ['https://example.com/a b', 'invalid_url', 'invalid_url'],
  ['https://exam\nple.com/', 'invalid_url', 'invalid_url'],
  ['https://example.com/\u0001', 'invalid_url', 'invalid_url'],
  ['https:\\\\example.com\\', 'invalid_url', 'invalid_url'],
  ['https://example.com\\@127.0.0.1/', 'invalid_url', 'invalid_url'],
]

for (const [text, strict, loose] of CASES) {
  test(`the URL ${JSON.stringify(text)} is judged as ${strict ?? 'fit'}`, () => {
    assert.equal(checkUrl(text, STRICT), strict)
    assert.equal(checkUrl(text, LOOSE), loose)
  })
}

test('http and private addresses are allowed separately', () => {
  assert.equal(checkUrl('http://127.0.0.1/', { ...STRICT, allowHttp: true }), 'private_address')
  assert.equal(checkUrl('http://127.0.0.1/', { ...STRICT, allowPrivate: true }), 'https_required')
  assert.equal(checkUrl('http://example.com/', { ...STRICT, allowHttp: true }), null)
})

test('a URL may have 2048 characters, also once it is written out', () => {
  const start = 'https://example.com/'
  assert.equal(checkUrl(start + 'a'.repeat(2_048 - start.length), STRICT), null)
  assert.equal(checkUrl(start + 'a'.repeat(2_049 - start.length), STRICT), 'invalid_url')
  assert.equal(checkUrl(start + 'ü'.repeat(1_000), STRICT), 'invalid_url')
})
