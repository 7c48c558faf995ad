import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { openDevPages } from '../packages/web/dev-pages.ts'
import { ApiServer } from './dev/api-server.ts'
import { watchFiles } from './dev/watch-files.ts'
import { makeIgnoredFiles } from './generate/freshness.ts'

/**
 * The service for developers: `npm run dev`. It has the address and the data of `npm start`. The
 * server restarts when one of its files changes, and requests wait for it; PostgreSQL stays up.
 * Pages are served from their sources and change in the browser as they are written. Settings are
 * those of the server.
 */

const { PORT = '8787', HOST = '127.0.0.1', SALUS_DATA_DIR = './data' } = process.env

/** Files of the server, without the other programs and the pages. */
const OF_SERVER = /^packages\/(?!web|cli|sdk)[\w-]+\/(src|migrations|data|bin)\//

/** Forwards a request to the server, once it is ready. */
async function forwardRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { hostname: host, port } = new URL(await api.address)
  const { method, url: path, headers } = incoming
  const outgoing = request({ host, port, method, path, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(response)
    answer.once('error', () => response.destroy())
  })
  outgoing.once('error', (error) => refuseRequest(response, error))
  response.once('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

function refuseRequest(response: ServerResponse, error: Error): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(502, { 'content-type': 'text/plain' }).end(`${error.message}\n`)
}

/**
 * Starts PostgreSQL of the data folder, which outlives the servers; not needed if the settings name
 * another one.
 */
async function openPostgres() {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: async () => {} }
  const [{ openDataDirectory }, { startEmbeddedPostgres }] = await Promise.all([
    import('../packages/kernel/src/data-directory.ts'),
    import('../packages/kernel/src/postgres/embedded-postgres.ts'),
  ])
  // Another process that uses the folder has its PostgreSQL.
  openDataDirectory(SALUS_DATA_DIR).release()
  const directory = join(resolve(SALUS_DATA_DIR), 'postgres')
  return startEmbeddedPostgres({ directory, log: () => {}, notice: console.log })
}

makeIgnoredFiles('missing')
let address = ''
const api = new ApiServer((text) => {
  // The address of the server is only that of this start.
  process.stdout.write(text.replace(/(API {3}|Docs {2})http:\/\/127\.0\.0\.1:\d+/g, `$1${address}`))
})
const front = createServer()
const pages = await openDevPages(front)
front.on('request', (incoming, response) => {
  if (pages.has(incoming)) pages.serve(incoming, response)
  else forwardRequest(incoming, response).catch((error) => refuseRequest(response, error))
})

function listen(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  front.once('error', reject)
  front.listen(Number(PORT), HOST, resolve)
  return promise
}

const [postgres] = await Promise.all([openPostgres(), listen()]).catch((error: Error) => {
  console.error(`Cannot start: ${error.message}`)
  process.exit(1)
})
address = `http://${HOST}:${(front.address() as AddressInfo).port}`
api.start({
  DATABASE_URL: postgres.url,
  HOST: '127.0.0.1',
  PORT: '0',
  SALUS_BASE_URL: process.env.SALUS_BASE_URL ?? address,
  SALUS_LOG_FORMAT: process.env.SALUS_LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json'),
  UV_THREADPOOL_SIZE: '12',
  NODE_COMPILE_CACHE:
    process.env.NODE_COMPILE_CACHE ?? resolve('node_modules/.cache/salus/compiled'),
})
watchFiles(['packages'], (paths) => {
  const changed = paths.filter((path) => OF_SERVER.test(path) && !path.endsWith('.test.ts'))
  if (changed.length === 0) return
  console.log(`\n  Changed: ${changed.join(', ')}`)
  void api.restart()
})

let isEnding = false
async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  await api.close()
  await Promise.all([pages.close(), postgres.stop()])
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
