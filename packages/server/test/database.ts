import { createHash, randomUUID } from 'node:crypto'
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { migrateJobs } from '@salus/kernel/jobs/jobs'
import { createLogger } from '@salus/kernel/log'
import { type Migration, readMigrations } from '@salus/kernel/migrations'
import { type Db, type OpenDatabase, openDatabase } from '@salus/kernel/postgres/database'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import { loadStartingCatalog } from '@salus/lab/catalog'
import { loadStartingPayors } from '@salus/lab/insurance'
import { loadSampleServiceCenters } from '@salus/lab/service-centers'
import pg from 'pg'
import { loadFrequentDiagnosisCodes } from './insurance/diagnosis-codes.ts'

const DATA = fileURLToPath(new URL('../../lab/data', import.meta.url))
const TEMPLATE_PREFIX = 'salus_template_'
const MIGRATIONS = fileURLToPath(new URL('../migrations/postgres', import.meta.url))

/** Any constant: it keeps test files from making the template at the same time. */
const TEMPLATE_LOCK_ID = 7_258_716_900
const NO_SUCH_DATABASE = '3D000'

export interface TestDatabase {
  db: Db
  pool: pg.Pool
  url: string
  /** Closes the pool and drops the database. */
  close(): Promise<void>
}

/**
 * A migrated database of one's own, cloned from a template in some 30 ms, on the cluster of the
 * runner of tests, whose address SALUS_TEST_STORES answers. Without that setting (one file run by
 * hand) a cluster is started for this process; it ends after the last test, with its folder.
 */
export async function createTestDatabase(poolSize = 5): Promise<TestDatabase> {
  const cluster = await openCluster()
  try {
    const name = `salus_test_${randomUUID().replaceAll('-', '')}`
    await copyTemplate(cluster.url, name)
    const url = withDatabase(cluster.url, name)
    const open = openDatabase({ url, poolSize })
    return { db: open.db, pool: open.pool, url, close: () => closeAndDrop(open, name, cluster) }
  } catch (error) {
    await cluster.release()
    throw error
  }
}

/** Makes a database of this name from the template. */
async function copyTemplate(url: string, name: string): Promise<void> {
  const copy = async () => {
    template ??= ensureTemplate(url)
    const from = await template
    // Files are copied as they are, which costs half of copying them by way of the log.
    const statement = `create database ${name} template ${from} strategy file_copy`
    await runOn(url, (client) => client.query(statement))
  }
  try {
    await copy()
  } catch (error) {
    if ((error as { code?: string }).code !== NO_SUCH_DATABASE) throw error
    // What fills it changed during the run, and another process has made it anew.
    template = undefined
    await copy()
  }
}

async function closeAndDrop(open: OpenDatabase, name: string, cluster: Cluster): Promise<void> {
  try {
    await open.close()
    await runOn(cluster.url, (client) => client.query(`drop database ${name} with (force)`))
  } finally {
    await cluster.release()
  }
}

interface Cluster {
  /** Of the maintenance database. */
  url: string
  release(): Promise<void>
}

interface OwnCluster {
  url: string
  stop(): Promise<void>
}

let ownCluster: Promise<OwnCluster> | undefined
let ownClusterUsers = 0
let isEnding = false

async function stopUnused(): Promise<void> {
  if (!isEnding || ownClusterUsers > 0 || ownCluster === undefined) return
  const { stop } = await ownCluster
  ownCluster = undefined
  await stop()
}

if (!process.env.SALUS_TEST_STORES) {
  // This hook runs before those of the test file, which may still hold databases.
  after(async () => {
    isEnding = true
    await stopUnused()
  })
}

async function openCluster(): Promise<Cluster> {
  const { SALUS_TEST_STORES: address } = process.env
  if (address) {
    shared ??= readSharedUrl(address)
    return { url: await shared, release: async () => {} }
  }
  ownCluster ??= startOwnCluster()
  const { url } = await ownCluster
  ownClusterUsers += 1
  const release = async () => {
    ownClusterUsers -= 1
    await stopUnused()
  }
  return { url, release }
}

/** Address of the runner's cluster, once this process has asked for it. */
let shared: Promise<string> | undefined

/** The runner starts its cluster with the first request, which waits for it. */
async function readSharedUrl(address: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  get(address, { agent: false }, (response) => {
    text(response).then((body) => {
      if (response.statusCode === 200) resolve(body)
      else reject(new Error(body))
    }, reject)
  }).once('error', reject)
  return promise
}

async function startOwnCluster(): Promise<OwnCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'salus-test-postgres-'))
  const server = await startEmbeddedPostgres({ directory, log: () => {}, isDurable: false })
  const stop = async () => {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { url: server.url, stop }
}

/** Folders of the code and the data that fill the template. */
const FILLED_FROM = [
  '@salus/lab/catalog',
  '@salus/lab/insurance',
  '@salus/lab/service-centers',
  '@salus/kernel/jobs/jobs',
  './insurance/diagnosis-codes.ts',
].map((module) => dirname(fileURLToPath(import.meta.resolve(module))))

/**
 * The name holds the checksum of all migrations, and the sizes and times of what fills the
 * template, so a change makes a new one: the runner may keep its cluster from run to run.
 */
function templateName(migrations: Migration[]): string {
  const checksums = migrations.map(({ number, checksum }) => `${number}:${checksum}`)
  const files = [...FILLED_FROM, DATA].flatMap((folder) => {
    const paths = globSync('**/*.{ts,json,csv,tsv,txt,gz}', { cwd: folder }).sort()
    if (paths.length === 0) throw new Error(`${folder} has nothing that fills the template.`)
    return paths.map((path) => {
      const { size, mtimeMs } = statSync(join(folder, path))
      return `${path}:${size}:${mtimeMs}`
    })
  })
  const hash = createHash('sha256').update([...checksums, ...files].join())
  return `${TEMPLATE_PREFIX}${hash.digest('hex').slice(0, 16)}`
}

/** Its name, once this process has seen it. */
let template: Promise<string> | undefined

/** Makes the template unless it is there; test files that start together wait for the first one. */
async function ensureTemplate(url: string): Promise<string> {
  const migrations = readMigrations(MIGRATIONS)
  const name = templateName(migrations)
  await runOn(url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK_ID])
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount !== 0) return
    // It gets its name when it is whole, so a run that was killed leaves no half-made template.
    await dropTemplates(client)
    const draft = `${name}_draft`
    await client.query(`create database ${draft}`)
    await fill(withDatabase(url, draft), migrations)
    await client.query(`alter database ${draft} rename to ${name}`)
  })
  return name
}

/** Those of earlier runs, and drafts of them. */
async function dropTemplates(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [TEMPLATE_PREFIX],
  )
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
}

/**
 * Tables of jobs, the catalog and the service centers of sandboxes take longer than making a
 * database, so the template holds them.
 */
async function fill(url: string, migrations: Migration[]): Promise<void> {
  const { db, pool, close } = openDatabase({ url, poolSize: 1 })
  try {
    await migratePostgres(pool, migrations)
    await migrateJobs(pool, createLogger('silent'))
    await loadStartingCatalog(db, new Date())
    await loadStartingPayors(db, new Date())
    await loadFrequentDiagnosisCodes(db)
    await loadSampleServiceCenters(db, new Date())
  } finally {
    await close()
  }
}

/** One short session; ending it also releases its locks. */
async function runOn(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
