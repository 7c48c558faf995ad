import { join } from 'node:path'
import { readMigrations } from '@salus/kernel/migrations'
import { type Db, openDatabase } from '@salus/kernel/postgres/database'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import { loadCatalog } from '@salus/lab/catalog'
import { importCompendium } from '../../lab/src/compendium-import/compendium-import.service.ts'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'
import { type Row, secondsOf, times } from './measure.ts'

const TESTS = 10_000
const COMPONENTS = 3
const CHANGED = 500

const APPLY = { isDryRun: false, allowsRetiring: false, skipsRefused: false }

const MAPPING = {
  tables: {
    tests: [
      {
        file: 'tests.csv',
        fields: { code: 'CODE', name: 'NAME', price: 'PRICE', sample_type: { value: 'serum' } },
      },
    ],
    components: [{ file: 'components.csv', fields: { test: 'TEST', code: 'CODE', name: 'NAME' } }],
    questions: [{ file: 'questions.csv', fields: { test: 'TEST', code: 'CODE', text: 'TEXT' } }],
    specimens: [{ file: 'specimens.csv', fields: { test: 'TEST', volume: 'VOLUME' } }],
  },
}

const labOf = (slug: string) => ({
  slug,
  name: slug,
  first_line_address: '1 Main St',
  city: 'Phoenix',
  state: 'AZ',
  zipcode: '85004',
  collection_methods: ['walk_in_test'],
  sample_types: ['serum'],
})

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** Makes the files of a compendium, of which the first tests have another volume. */
function makeFiles(changed: number): Record<string, string> {
  const tests = numbers(TESTS)
  const parts = tests.flatMap((test) =>
    numbers(COMPONENTS).map((part) => `${test},${test}-${part}`),
  )
  const files = {
    'tests.csv': ['CODE,NAME,PRICE', ...tests.map((it) => `${it},Test number ${it},12.50`)],
    'components.csv': ['TEST,CODE,NAME', ...parts.map((it) => `${it},Result of the test`)],
    'questions.csv': ['TEST,CODE,TEXT', ...tests.map((it) => `${it},Q1,When was the last dose?`)],
    'specimens.csv': ['TEST,VOLUME', ...tests.map((it) => `${it},${it < changed ? 2 : 1} mL`)],
  }
  const encode = (lines: string[]) => Buffer.from(lines.join('\n')).toString('base64')
  return Object.fromEntries(Object.entries(files).map(([name, lines]) => [name, encode(lines)]))
}

/** The same tests in the format of a catalog. */
function makeSameCatalog(): object {
  const keys = (test: number) => numbers(COMPONENTS).map((part) => `r_${test}_${part}`)
  const tests = numbers(TESTS)
  const names = tests.flatMap(keys).map((key) => [key, { name: 'Result of the test' }])
  const question = { code: 'Q1', text: 'When was the last dose?', type: 'text', required: false }
  return {
    labs: [labOf('catalog')],
    analytes: Object.fromEntries(names),
    questions: { q1: question },
    orderables: {
      catalog: {
        tests: tests.map((it) => ({
          ...{ name: `Test number ${it}`, provider_id: `${it}`, price_cents: 1250 },
          ...{ sample_type: 'serum', results: keys(it), questions: ['q1'] },
          specimens: [{ volume: '1 mL' }],
        })),
      },
    },
  }
}

/**
 * Imports a compendium of 10,000 tests with 30,000 components: the first time, unchanged, and with
 * 500 changed tests, beside the load of the same tests as a catalog.
 */
export async function benchCompendium(databaseUrl: string): Promise<Row[]> {
  const admin = openDatabase({ url: databaseUrl, poolSize: 1 })
  await admin.pool.query('create database compendium')
  await admin.close()
  const url = new URL(databaseUrl)
  url.pathname = '/compendium'
  const { db, pool, close } = openDatabase({ url: url.href, poolSize: 2 })
  try {
    await migratePostgres(pool, readMigrations(join(MIGRATIONS_FOLDER, 'postgres')))
    await loadCatalog(db, { labs: [labOf('compendium')] }, new Date())
    return await measure(db)
  } finally {
    await close()
  }
}

async function measure(db: Db): Promise<Row[]> {
  const request = (changed: number) => ({
    lab: 'compendium',
    mapping: MAPPING,
    files: makeFiles(changed),
  })
  const load = async (changed: number, expected: number) => {
    const found = await importCompendium(db, request(changed), APPLY, new Date())
    const changes = found.added + found.changed
    if (changes !== expected) throw new Error(`${changes} tests changed`)
  }
  const memory = watchMemory()
  const first = await costOf(() => load(0, TESTS))
  const peak = memory.stop()
  const catalog = makeSameCatalog()
  const bare = await costOf(() => loadCatalog(db, catalog, new Date()))
  const again = await costOf(() => load(0, 0))
  const changed = await costOf(() => load(CHANGED, CHANGED))
  const row = { comparedWith: '', other: '', ratio: '', goal: '', isMet: null }
  return [
    {
      ...row,
      job: 'compendium: 10,000 tests, 30,000 components, first import',
      salus: `${first.text}, ${peak.toFixed(0)} MB more memory`,
      comparedWith: 'the same tests as a catalog',
      other: bare.text,
      ratio: times(bare.seconds / first.seconds),
    },
    { ...row, job: 'the same, without a change', salus: again.text },
    { ...row, job: `the same, ${CHANGED} tests changed`, salus: changed.text },
  ]
}

/** Time of the wall, and of the processor without that of PostgreSQL. */
async function costOf(work: () => Promise<unknown>): Promise<{ seconds: number; text: string }> {
  const before = process.cpuUsage()
  const seconds = await secondsOf(work)
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1e6
  return { seconds, text: `${seconds.toFixed(1)} s (${cpu.toFixed(1)} s of processor)` }
}

/** Samples the memory of the process, in megabytes over that at the begin. */
function watchMemory(): { stop: () => number } {
  const before = process.memoryUsage().rss
  let most = before
  const sample = (): void => {
    most = Math.max(most, process.memoryUsage().rss)
  }
  const timer = setInterval(sample, 20)
  return {
    stop: () => {
      clearInterval(timer)
      sample()
      return (most - before) / 1e6
    },
  }
}
