import assert from 'node:assert/strict'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Config } from '../../src/config.ts'
import { open, signInAtVendor } from './browser.ts'
import { createLinking, type Linking } from './linking-fixture.ts'

/**
 * Sign-ins through a reverse proxy, which browsers know by another name than the server has itself.
 */

const ends: (() => Promise<void>)[] = []
after(async () => {
  for (const end of ends) await end()
})

interface Proxy {
  url: string
  /** What it forwarded. */
  paths: string[]
  target: string
}

/**
 * Forwards all that comes to it, with the headers that proxies add and, as they do, another Host.
 */
async function openProxy(): Promise<Proxy> {
  const proxy: Proxy = { url: '', paths: [], target: '' }
  const server = createServer((incoming, outgoing) => {
    proxy.paths.push(incoming.url ?? '')
    const { host } = new URL(proxy.target)
    const headers = {
      ...incoming.headers,
      host,
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': incoming.headers.host,
      'x-forwarded-proto': 'http',
    }
    const target = new URL(incoming.url ?? '', proxy.target)
    const inner = forward(target, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(inner)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A name that is this machine, and not that of the server.
  proxy.url = `http://localhost:${(server.address() as AddressInfo).port}`
  ends.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return proxy
}

async function signInThrough(linking: Linking, proxy: Proxy): Promise<void> {
  proxy.target = linking.baseUrl
  const headers = {
    'content-type': 'application/json',
    'x-service-api-key': linking.harness.apiKey,
  }
  const body = JSON.stringify({ user_id: await linking.makeUser() })
  const made = await fetch(`${proxy.url}/v2/link/token`, { method: 'POST', headers, body })
  const { link_token: token, link_web_url: page } = (await made.json()) as Record<string, string>
  assert.ok(page?.startsWith(`${proxy.url}/link?token=`), page)
  const started = await fetch(`${proxy.url}/v2/link/provider/oauth/oura`, {
    headers: { 'x-service-link-token': token ?? '' },
  })
  const { oauth_url: oauthUrl, logo } = (await started.json()) as Record<string, string>
  assert.ok(oauthUrl?.startsWith(`${proxy.url}/sandbox/providers/oura/web/`), oauthUrl)
  assert.ok(logo?.startsWith(proxy.url), logo)
  const back = await signInAtVendor(oauthUrl ?? '', { account: 'proxied@example.com' })
  assert.ok(back.startsWith(`${proxy.url}/v2/link/connect/oura?`), back)
  const { status, location = '' } = await open(back)
  assert.equal(status, 307)
  const end = new URL(location)
  assert.equal(`${end.origin}${end.pathname}`, `${proxy.url}/link/done`)
  assert.equal(end.searchParams.get('state'), 'success')
  assert.ok(proxy.paths.length > 0)
}

/** One at a time in a process. */
async function withLinking(
  settings: Partial<Config>,
  work: (linking: Linking) => Promise<void>,
): Promise<void> {
  const linking = await createLinking(settings)
  try {
    await work(linking)
  } finally {
    await linking.close()
  }
}

test('behind a proxy whose address is set everything leads to that address', async () => {
  const proxy = await openProxy()
  // As people write it who copy it from a browser.
  await withLinking({ baseUrl: `${proxy.url}/` }, (linking) => signInThrough(linking, proxy))
})

test('without a setting, a proxy that is trusted says what the address is', async () => {
  const proxy = await openProxy()
  const settings = { baseUrl: undefined, trustedProxies: ['127.0.0.1'] }
  await withLinking(settings, (linking) => signInThrough(linking, proxy))
})

test('a proxy that is not trusted cannot say so', async () => {
  await withLinking({ baseUrl: undefined }, async (linking) => {
    const { token } = await linking.issue()
    const { body } = await linking.call('GET', '/v2/link/provider/oauth/oura', undefined, {
      'x-service-link-token': token,
      'x-forwarded-host': 'evil.example',
    })
    assert.doesNotMatch(JSON.stringify(body), /evil/)
  })
})
