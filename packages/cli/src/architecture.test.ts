import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSourceFiles } from '../../server/test/source-files.ts'

/** Which folder of the command line uses which others: the table says all there is, and no more. */
const USES: Readonly<Record<string, readonly string[]>> = {
  terminal: [],
  connection: ['terminal'],
  keys: ['connection', 'terminal'],
  users: ['connection', 'terminal'],
  imports: ['connection', 'operation', 'terminal', 'users'],
  queries: ['connection', 'terminal', 'users'],
  lab: ['connection', 'terminal', 'users'],
  'lab/connections': ['connection', 'keys', 'terminal'],
  'lab/loading': ['connection', 'terminal'],
  webhooks: ['connection', 'keys', 'terminal'],
  operation: ['connection', 'keys', 'terminal'],
  providers: ['connection', 'operation', 'terminal'],
}
/** Beside the folders; each may import those before it, and all folders. */
const TOP = ['version.ts', 'completion.ts', 'mcp.ts', 'program.ts', 'main.ts']

const SRC = 'packages/cli/src/'

/** The folder of a file, or its name where it stands beside them. */
function folderOf(path: string): string {
  const parts = path.slice(SRC.length).split('/')
  return parts.length === 1 ? path.slice(SRC.length) : parts.slice(0, -1).join('/')
}

const sources = readSourceFiles(`${SRC}**/*.ts`)
  .filter(({ path }) => !path.endsWith('.test.ts') && !path.includes('/testing/'))
  // The compiler holds which other packages the command line imports.
  .map(({ path, imports }) => ({ path, imports: imports.filter((to) => to.startsWith(SRC)) }))

test('every folder and every file beside them is known here', () => {
  const folders = new Set(sources.map(({ path }) => folderOf(path)))
  assert.deepEqual([...folders].sort(), [...Object.keys(USES), ...TOP].sort())
})

test('a folder uses the folders that the table says, and no others', () => {
  const used = Object.fromEntries(Object.keys(USES).map((folder) => [folder, new Set<string>()]))
  for (const { path, imports } of sources) {
    for (const to of imports) {
      if (folderOf(to) !== folderOf(path)) used[folderOf(path)]?.add(folderOf(to))
    }
  }
  const found = Object.entries(used).map(([folder, others]) => [folder, [...others].sort()])
  assert.deepEqual(Object.fromEntries(found), USES)
})

test('files beside the folders import each other only forward', () => {
  const breaches = sources
    .filter(({ path }) => TOP.includes(folderOf(path)))
    .flatMap(({ path, imports }) =>
      imports
        .filter((to) => TOP.indexOf(folderOf(to)) >= TOP.indexOf(folderOf(path)))
        .map((to) => `${path} imports ${to}`),
    )
  assert.deepEqual(breaches, [])
})
