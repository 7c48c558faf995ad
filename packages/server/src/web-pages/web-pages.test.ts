import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { registerErrorHandler } from '@salus/kernel/http/error-handler'
import { ROUTER_OPTIONS } from '@salus/kernel/http/method-not-allowed'
import { registerSecurityHeaders } from '@salus/kernel/http/security-headers'
import { createLogger } from '@salus/kernel/log'
import Fastify from 'fastify'
import { registerWebPages } from './web-pages.routes.ts'

const folder = mkdtempSync(join(tmpdir(), 'salus-web-pages-'))
const servers: { close: () => PromiseLike<unknown> }[] = []
after(async () => {
  for (const server of servers) await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const PAGE = '<html><head><base href="./" /><script src="./assets/web/link-x1.js"></script>'
const SCRIPT = 'console.log("salus")\n'.repeat(200)
const POPUP = 'window.SalusLink = {}'

async function startServer(pagesFolder: string) {
  const app = Fastify({ routerOptions: ROUTER_OPTIONS }).withTypeProvider<TypeBoxTypeProvider>()
  registerErrorHandler(app)
  await registerSecurityHeaders(app)
  const warnings: string[] = []
  const log = createLogger('silent')
  log.warn = (text: unknown) => void warnings.push(String(text))
  registerWebPages(app, { log, pagesFolder })
  await app.listen({ port: 0, host: '127.0.0.1' })
  servers.push(app)
  return { port: (app.server.address() as AddressInfo).port, warnings }
}

async function read(path: string, headers: Record<string, string> = {}) {
  const request = get({ port, path, headers })
  const [response] = await once(request, 'response')
  const body = Buffer.concat(await response.toArray())
  return { status: response.statusCode, headers: response.headers, body }
}

let port: number
before(async () => {
  mkdirSync(join(folder, 'assets/web'), { recursive: true })
  writeFileSync(join(folder, 'link.html'), PAGE)
  writeFileSync(join(folder, 'console.html'), PAGE)
  writeFileSync(join(folder, 'assets/web/link-x1.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/web/notes.txt'), 'not a part of a page')
  writeFileSync(join(folder, 'assets/link.js'), POPUP)
  port = (await startServer(folder)).port
})

test('a page is requested again each time, sends its address to no other site, and is shown in no frame', async () => {
  const page = await read('/link?token=secret&env=sandbox&region=eu&isMobile=true')
  assert.equal(page.status, 200)
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(page.headers['cache-control'], 'no-cache')
  assert.equal(page.headers['referrer-policy'], 'no-referrer')
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /script-src 'self';/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe/)
})

test('addresses in a page lead up to the deployment, from each address that the page has', async () => {
  const bases: [string, string][] = [
    ['/link?token=a/b/c', './'],
    ['/link/', '../'],
    ['/link/done?state=success', '../'],
    ['/link/done/', '../../'],
  ]
  for (const [path, base] of bases) {
    const { body } = await read(path)
    assert.match(body.toString(), new RegExp(`<base href="${base}" />`), path)
  }
})

test('an asset is kept for ever, and compressed for whom takes that', async () => {
  const plain = await read('/assets/web/link-x1.js')
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(plain.body.toString(), SCRIPT)
  const small = await read('/assets/web/link-x1.js', { 'accept-encoding': 'br, gzip' })
  assert.equal(small.headers['content-encoding'], 'gzip')
  assert.equal(small.headers.vary, 'accept-encoding')
  assert.equal(gunzipSync(small.body).toString(), SCRIPT)
  assert.ok(small.body.length < plain.body.length)
})

test('pages of other sites load the script that opens the link page, and keep it for an hour', async () => {
  const script = await read('/assets/link.js')
  assert.deepEqual([script.status, script.body.toString()], [200, POPUP])
  assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(script.headers['cache-control'], 'public, max-age=3600')
  assert.equal(script.headers['cross-origin-resource-policy'], 'cross-origin')
  assert.equal(script.headers['access-control-allow-origin'], '*')
  assert.equal(script.headers['access-control-allow-credentials'], undefined)
  const again = await read('/assets/link.js', { 'if-none-match': String(script.headers.etag) })
  assert.deepEqual([again.status, again.body.length], [304, 0])
})

test('a pop-up of the link page stays joined to its opener, the console is separated from any', async () => {
  for (const path of ['/link', '/link/done']) {
    assert.equal((await read(path)).headers['cross-origin-opener-policy'], 'unsafe-none', path)
  }
  assert.equal((await read('/console')).headers['cross-origin-opener-policy'], 'same-origin')
})

test('nothing but what was built for pages is given out', async () => {
  const paths = ['notes.txt', 'link-x2.js', '..%2f..%2flink.html', 'link.html', '%00']
  for (const path of paths) assert.equal((await read(`/assets/web/${path}`)).status, 404, path)
})

test('where nothing was built the start says so, and pages are not found', async () => {
  const { warnings, port: bare } = await startServer(join(folder, 'nowhere'))
  assert.match(warnings.join(), /npm run prepare/)
  const [response] = await once(get({ port: bare, path: '/link' }), 'response')
  assert.equal(response.statusCode, 404)
  response.resume()
})
