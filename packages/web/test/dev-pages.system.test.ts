import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type DevPages, openDevPages } from '../dev-pages.ts'

const server = createServer((request, response) => {
  if (pages.has(request)) pages.serve(request, response)
  else response.end('of the server')
})
let pages: DevPages
let address = ''

before(async () => {
  pages = await openDevPages(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  await pages?.close()
  server.closeAllConnections()
  server.close()
})

const read = async (path: string) => (await fetch(address + path)).text()

test('pages under development come from their sources and replace modules', async () => {
  for (const path of ['/console', '/console/some-team/sandbox/people', '/link', '/link/done']) {
    const page = await read(path)
    assert.match(page, /<base href="\/"/, path)
    assert.match(page, /src="\/@vite\/client"/, path)
    assert.match(page, /src="\/src\/(console|link)\/main\.tsx"/, path)
  }
  assert.match(await read('/src/console/start/start-page.tsx'), /\$RefreshReg\$/)
  assert.match(await read('/@vite/client'), /WebSocket/)
})

test('everything else is of the server, also what begins like a page', async () => {
  for (const path of ['/', '/v2/user', '/v2/link/state', '/linked', '/assets/web/a.js', '/docs']) {
    assert.equal(await read(path), 'of the server', path)
  }
  const posted = await fetch(`${address}/console`, { method: 'POST' })
  assert.equal(await posted.text(), 'of the server')
})
