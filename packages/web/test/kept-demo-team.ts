import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FirstKeys } from '../../server/src/accounts/teams/index.ts'
import type { TestDatabase } from '../../server/test/database.ts'
import type { Harness } from '../../server/test/harness.ts'
import { restoreData, restorePostgres, saveStores } from '../../server/test/store-snapshot.ts'

/** What the demo team is made by; when one of them changes, it is filled anew. */
const MADE_BY = [
  'packages/server/src/demo-team/**/*.ts',
  'packages/server/data/demo-reports/*',
  'packages/server/migrations/**/*.sql',
  'packages/sandbox/src/**/*.ts',
  'packages/server/test/store-snapshot.ts',
]
const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(tmpdir(), 'salus-demo-teams')
const KEYS = 'keys.json'
/** Its data end with the present of when it was filled. */
const LONGEST_KEPT_MS = 2 * 3_600_000

/** A filled demo team as it was stored: filling one takes as long as all tests of a file together. */
export interface KeptTeam {
  isThere: boolean
  /** Fills an empty database; brings the keys of what it holds then. */
  prepare(pool: TestDatabase['pool']): Promise<FirstKeys | undefined>
  restore(harness: Harness): Promise<void>
  /** Keeps what was filled for the tests that come later. */
  keep(harness: Harness): Promise<void>
}

export function findKeptTeam(): KeptTeam {
  const folder = join(FOLDER, nameOfVersion())
  const isThere = isFresh(folder)
  return {
    isThere,
    async prepare(pool) {
      if (!isThere) return undefined
      await restorePostgres(pool, folder)
      return JSON.parse(readFileSync(join(folder, KEYS), 'utf8'))
    },
    restore: (harness) => restoreData(storesOf(harness), folder),
    async keep(harness) {
      await harness.dependencies.idle()
      mkdirSync(FOLDER, { recursive: true })
      const draft = mkdtempSync(join(FOLDER, 'draft-'))
      await saveStores(storesOf(harness), draft)
      const { organizationId, teamId, apiKey, managementKey } = harness
      writeFileSync(
        join(draft, KEYS),
        JSON.stringify({ organizationId, teamId, apiKey, managementKey }),
      )
      rmSync(folder, { recursive: true, force: true })
      // Another process may have been as quick.
      if (!existsSync(folder)) renameSync(draft, folder)
      else rmSync(draft, { recursive: true, force: true })
    },
  }
}

const storesOf = ({ database, clickhouse, config }: Harness) => ({
  pool: database.pool,
  clickhouse,
  dataDirectory: config.dataDirectory,
})

function isFresh(folder: string): boolean {
  if (!existsSync(join(folder, KEYS))) return false
  return Date.now() - statSync(join(folder, KEYS)).mtimeMs < LONGEST_KEPT_MS
}

function nameOfVersion(): string {
  const hash = createHash('sha256')
  const paths = MADE_BY.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).toSorted()
  for (const path of paths) hash.update(path).update(readFileSync(join(ROOT, path)))
  return hash.digest('hex').slice(0, 16)
}
