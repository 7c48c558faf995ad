import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeCleanCopy, strangersEnvironment } from '../packages/server/test/clean-copy.ts'
import { findUnprinted, readPastedOutputs } from './guide-output.ts'

/**
 * Runs the commands of guides as a stranger would, and fails at the first that fails:
 *
 *   npx node scripts/check-guides.ts [--keep] [--in FOLDER] [--show] [page …]
 *
 * A page takes part by blocks that begin with ```sh run; they run one after the other in one shell,
 * in a copy of the project after npm ci, beside a server of its own. Pages other than the README
 * begin where its tour has a person with data, with the variables of the quickstart. An answer of
 * 400 or more is a failure too. What a page starts in the background gets free ports, and ends with
 * the page. A block that begins with ```json file NAME, or another language, is written to that
 * file before those behind it run.
 *
 * A block of text or JSON behind commands is their output: each line of it has to be in what came,
 * but for ids, times and the like, and `…` stands for what is left out. What was seen by hand, or
 * is an example, says so: ```text by hand.
 *
 * --keep leaves the copy there; --in runs pages of this tree in such a copy; --show prints what
 * came.
 */

const MARK = /^```(?:sh run|\w+ file (\S+))$\n([\s\S]*?)^```$/gm
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BEGUN = '::guide '
/**
 * Placeholders of pages for the server's address, for ports of servers that they start, and for a
 * folder of the machine.
 */
const ADDRESS = '127.0.0.1:8787'
const OTHER_PORTS = /\b87(?:8[89]|9\d)\b/g
const FOLDER = '/srv/'
/** Last step of the tour on which other pages build. */
const LAST_OF_TOUR = 'salus import apple-health'
/** Page that shows the output of the tour. */
const QUICKSTART = 'docs/quickstart.md'

interface Block {
  /** Page and line. */
  at: string
  text: string
}

const readPage = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

function readBlocks(page: string): Block[] {
  const text = readPage(page)
  return [...text.matchAll(MARK)].map(({ index, 1: file, 2: content = '' }) => ({
    at: `${page}:${text.slice(0, index).split('\n').length}`,
    text: file === undefined ? content : `cat > ${file} <<'END OF FILE'\n${content}END OF FILE`,
  }))
}

/** Returns the commands that a page requires before its own. */
function readStart(page: string): Block[] {
  if (page === 'README.md') return []
  const tour = readBlocks('README.md')
  const last = tour.findIndex(({ text }) => text.includes(LAST_OF_TOUR))
  return [...(page === QUICKSTART ? tour : tour.slice(0, last + 1)), ...readBlocks(QUICKSTART)]
}

/**
 * Returns one shell script for a page, which prints its position, so that a failure can be located.
 */
async function toScript(blocks: readonly Block[], port: number, copy: string): Promise<string> {
  const written = new Set(blocks.flatMap(({ text }) => text.match(OTHER_PORTS) ?? []))
  const free = await findFreePorts(written.size)
  const portOf = new Map([...written].map((other, index) => [other, String(free[index])]))
  const here = (text: string): string =>
    text
      .replaceAll(ADDRESS, `127.0.0.1:${port}`)
      .replaceAll(FOLDER, `${copy}/`)
      .replaceAll(OTHER_PORTS, (other) => portOf.get(other) ?? other)
  const commands = blocks.map(({ at, text }) => `echo '${BEGUN}${at}'\n${here(text)}`)
  // Routes that load after the first start answer 503 until then.
  const curl = 'curl() { command curl --fail-with-body --retry 60 --retry-delay 1 "$@"; }'
  const end =
    'trap \'left=$(jobs -p); [ -z "$left" ] || { kill $left; wait; } 2>/dev/null || true\' EXIT'
  return ['set -euo pipefail', end, curl, 'cd "$COPY"', ...commands].join('\n')
}

async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  for (const server of servers) server.close()
  return ports
}

interface Run {
  code: number
  output: string
}

async function run(copy: string, script: string, settings: Record<string, string>): Promise<Run> {
  const env = strangersEnvironment({ COPY: copy, ...settings })
  const shell = spawn('bash', ['-c', script], { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = await once(shell, 'close')
  return { code: code ?? 1, output }
}

async function withServer(
  copy: string,
  work: (port: number) => Promise<boolean>,
): Promise<boolean> {
  const [port = 0] = await findFreePorts(1)
  const env = strangersEnvironment({ PORT: String(port) })
  const server = spawn('npm', ['start'], { cwd: copy, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(server, 'close')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.stdout.on('data', (text) => String(text).includes('is ready') && resolve())
  void ended.then(() => reject(new Error('the server ended')))
  try {
    await promise
    return await work(port)
  } finally {
    server.kill('SIGTERM')
    await ended
  }
}

/** Removes the data of other pages, and their files beside it. */
function removeLeftovers(copy: string): void {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const kept = new Set([
    'node_modules',
    '.git',
    ...files.split('\n').map((file) => file.split('/')[0]),
  ])
  for (const name of readdirSync(copy)) {
    if (!kept.has(name)) rmSync(join(copy, name), { recursive: true })
  }
}

/**
 * Returns whether the commands of a page printed the output that it shows; prints the missing
 * lines.
 */
function isPrinted(page: string, output: string): boolean {
  const printed = new Map(
    output.split(BEGUN).map((part) => {
      const [at = '', ...lines] = part.split('\n')
      return [at, lines.join('\n')]
    }),
  )
  const unprinted = readPastedOutputs(readPage(page)).flatMap(({ commandsLine, line, text }) =>
    findUnprinted(
      text,
      page === QUICKSTART ? output : (printed.get(`${page}:${commandsLine}`) ?? ''),
      copy,
    ).map((missing) => `${page}:${line} shows a line that was not printed: ${missing}`),
  )
  for (const one of unprinted) console.error(one)
  return unprinted.length === 0
}

async function checkPage(copy: string, page: string): Promise<boolean> {
  const blocks = readBlocks(page)
  const all = page === QUICKSTART ? readStart(page) : [...readStart(page), ...blocks]
  removeLeftovers(copy)
  return withServer(copy, async (port) => {
    const { code, output } = await run(copy, await toScript(all, port, copy), {
      SALUS_URL: `http://127.0.0.1:${port}`,
    })
    const [at = page, ...printed] = (output.split(BEGUN).at(-1) ?? '').split('\n')
    if (options.show) console.log(output)
    if (code === 0) console.log(`${page}: ${blocks.length} blocks ran`)
    else console.error(`${at} failed with ${code}:\n${printed.join('\n')}`)
    return code === 0 && isPrinted(page, output)
  })
}

async function installPackages(): Promise<void> {
  const { code, output } = await run(copy, 'npm ci', {})
  if (code !== 0) throw new Error(`npm ci failed:\n${output}`)
}

const { values: options, positionals: given } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean' }, in: { type: 'string' }, show: { type: 'boolean' } },
})
const copy = options.in ?? makeCleanCopy()
try {
  const pages = (
    given.length > 0
      ? given
      : globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: copy })
  )
    .filter((page) => existsSync(join(copy, page)) && readBlocks(page).length > 0)
    .sort()
  if (pages.length === 0) throw new Error('No page has a block that begins with ```sh run.')
  if (options.in === undefined) await installPackages()
  for (const page of pages) {
    const isFine = await checkPage(copy, page).catch((error: Error) => {
      // A server that does not start is a failure of one page.
      console.error(`${page} failed: ${error.message}`)
      return false
    })
    if (!isFine) process.exitCode = 1
  }
} finally {
  if (options.keep || options.in) console.log(`It ran in ${copy}`)
  else rmSync(copy, { recursive: true, force: true })
}
