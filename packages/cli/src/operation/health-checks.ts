import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { callApi, callManagement, fetchServer } from '../connection/api-client.ts'
import { ApiError } from '../connection/api-errors.ts'
import type { Connection } from '../connection/config.ts'
import { findOrganizationId } from '../keys/team-keys.ts'
import { CliError } from '../terminal/cli-error.ts'
import { formatBytes, formatCount } from '../terminal/number-format.ts'

/** The outcome of one check. */
export interface Finding {
  state: 'ok' | 'problem' | 'skipped'
  what: string
  /** Sentence that says how to mend it. */
  advice?: string
}

const NEEDED_NODE = 24
/** Databases stop when the disk is full; this leaves time to act. */
const LEAST_FREE_BYTES = 2_000_000_000
const TIMEOUT_MS = 5000

/** Runs all checks in order; checks that cannot run are reported as skipped. */
export async function* findProblems(connection: Connection): AsyncGenerator<Finding> {
  yield checkNode()
  yield* checkDisk(connection)
  const server = await checkServer(connection)
  yield server
  if (server.state !== 'ok') {
    yield { state: 'skipped', what: 'Stores and keys: not checked without a server.' }
    return
  }
  yield* checkStores(connection)
  yield await checkApiKey(connection)
  yield await checkManagementKey(connection)
  yield* checkWayToPostgres(connection)
}

function checkNode(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  const what = `Node.js ${process.version}`
  if (major >= NEEDED_NODE) return { state: 'ok', what }
  const advice = `Salus needs ${NEEDED_NODE} or newer: run "npm ci", which brings it.`
  return { state: 'problem', what, advice }
}

/** Checks the disk if the data are on this machine. */
async function* checkDisk({ url, dataDirectory }: Connection): AsyncGenerator<Finding> {
  const path = resolve(dataDirectory)
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
  const disk = isLocal ? await statfs(path).catch(() => undefined) : undefined
  if (disk === undefined) {
    const why = isLocal ? `there is no ${path} (--data-dir names another)` : 'the server is remote'
    yield { state: 'skipped', what: `Disk space of the data directory: ${why}.` }
    return
  }
  const free = disk.bavail * disk.bsize
  const size = formatBytes(disk.blocks * disk.bsize)
  const what = `Disk of ${path}: ${formatBytes(free)} free of ${size}`
  if (free >= LEAST_FREE_BYTES) yield { state: 'ok', what }
  else yield { state: 'problem', what, advice: 'Free some space, or move the data directory.' }
}

async function checkServer(connection: Connection): Promise<Finding> {
  const { url } = connection
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetchServer(connection, `${url}/health/live`, { signal })
    if (response.ok) return { state: 'ok', what: `Server at ${url} responds` }
    const what = `Server at ${url} responds with HTTP ${response.status}`
    return { state: 'problem', what, advice: 'Check --url or SALUS_URL: is that a Salus server?' }
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    const [what = '', ...advice] = error.message.split('. ')
    return { state: 'problem', what, advice: advice.join('. ') || 'Look at the log of the server.' }
  }
}

/** Answer of `GET /health/ready`. */
export interface Readiness {
  /** Whether the server serves requests, though some may fail with a degraded store. */
  isReady: boolean
  status: string
  /** `ok`, `degraded` or `down` by store. */
  stores: Record<string, string>
}

/** Reads `GET /health/ready`, which needs no key. */
export async function readReadiness(connection: Connection): Promise<Readiness> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetchServer(connection, `${connection.url}/health/ready`, { signal })
  const body = (await response.json().catch(() => ({}))) as Partial<Readiness>
  const { status = 'unknown', stores = {} } = body
  return { isReady: response.ok, status, stores }
}

const ADVICE_OF_STATE: Readonly<Record<string, string>> = {
  degraded: 'Some requests fail: "salus status" names the servers that do not answer.',
}

const WITHOUT_REPLICAS =
  'All requests work, but the primary does the work of its replicas: "salus status" says why.'

async function* checkStores(connection: Connection): AsyncGenerator<Finding> {
  const { isReady, status, stores } = await readReadiness(connection)
  for (const [name, state] of Object.entries(stores)) {
    const what = `Store ${name} is ${state}`
    const isOfReplicas = name === 'postgres_replicas'
    const advice = isOfReplicas
      ? WITHOUT_REPLICAS
      : (ADVICE_OF_STATE[state] ?? 'Look at the log of the server, and restart it.')
    if (state === 'ok') yield { state: 'ok', what: `Store ${name} responds` }
    else yield { state: 'problem', what, advice }
  }
  if (isReady) yield { state: 'ok', what: 'Server is ready for requests' }
  else {
    const what = `Server is not ready (${status})`
    yield { state: 'problem', what, advice: 'Wait a moment; if this persists, look at its log.' }
  }
}

async function checkApiKey(connection: Connection): Promise<Finding> {
  const { apiKey } = connection
  if (apiKey === undefined) {
    const advice = 'Give --api-key or SALUS_API_KEY, or name the data directory with --data-dir.'
    return { state: 'problem', what: 'No API key', advice }
  }
  return checkKey(`API key from ${apiKey.from}`, async () => {
    const query = { limit: 1 }
    const { total } = await callApi<{ total: number }>(connection, 'GET', '/v2/user', { query })
    const environment = apiKey.value.startsWith('pk_') ? 'production' : 'sandbox'
    return `${environment}, ${formatCount(total)} ${total === 1 ? 'user' : 'users'}`
  })
}

async function checkManagementKey(connection: Connection): Promise<Finding> {
  const { managementKey } = connection
  if (managementKey === undefined) {
    return { state: 'skipped', what: 'Management key: none given. Only "salus key" needs one.' }
  }
  return checkKey(`Management key from ${managementKey.from}`, async () => {
    const path = `/v1/org/${await findOrganizationId(connection)}`
    const { name } = await callManagement<{ name: string }>(connection, 'GET', path)
    return `organization "${name}"`
  })
}

const WAYS = {
  none: 'directly',
  session: 'by way of a pooler of sessions',
  transaction: 'by way of a pooler of transactions',
}

/** Says how the server reaches PostgreSQL; only operators may know. */
async function* checkWayToPostgres(connection: Connection): AsyncGenerator<Finding> {
  if (connection.managementKey === undefined) return
  const status = await callManagement<{
    process: { postgres_pooling?: { mode: keyof typeof WAYS; prepares_statements: boolean } }
  }>(connection, 'GET', '/v1/operation/status').catch(() => undefined)
  const pooling = status?.process.postgres_pooling
  if (pooling === undefined) return
  const statements = pooling.prepares_statements ? '' : ', without prepared statements'
  yield { state: 'ok', what: `Server reaches PostgreSQL ${WAYS[pooling.mode]}${statements}` }
}

async function checkKey(title: string, use: () => Promise<string>): Promise<Finding> {
  try {
    return { state: 'ok', what: `${title} works: ${await use()}` }
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    const isRefused = error instanceof ApiError && error.status === 401
    if (!isRefused) return { state: 'problem', what: `${title}: ${error.message}` }
    const advice = 'Use a key of this server; "salus key create" creates one.'
    return { state: 'problem', what: `${title} is not accepted by this server`, advice }
  }
}
