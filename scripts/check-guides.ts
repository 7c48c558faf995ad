import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { makeCleanCopy, strangersEnvironment } from '../packages/server/test/clean-copy.ts'

/**
 * Runs the commands of guides as a stranger would, and fails at the first that fails:
 *
 *   npx node scripts/check-guides.ts [--keep] [page …]
 *
 * A page takes part by blocks that begin with ```sh run; they run one after the other in one shell, in a copy of the
 * project after npm ci, beside a server of its own. An answer of 400 or more is a failure too.
 */

const MARK = /^```sh run$\n([\s\S]*?)^```$/gm
const BEGUN = '::guide '
/** What pages write for the server's address. */
const ADDRESS = '127.0.0.1:8787'

interface Block {
  line: number
  text: string
}

function readBlocks(path: string): Block[] {
  const page = readFileSync(path, 'utf8')
  return [...page.matchAll(MARK)].map(({ index, 1: text = '' }) => ({
    line: page.slice(0, index).split('\n').length,
    text,
  }))
}

/** One shell for a page, which says where it is, so that a failure is found. */
function toScript(blocks: readonly Block[], port: number): string {
  const commands = blocks.map(
    ({ line, text }) => `echo '${BEGUN}${line}'\n${text.replaceAll(ADDRESS, `127.0.0.1:${port}`)}`,
  )
  const curl = 'curl() { command curl --fail-with-body "$@"; }'
  return ['set -euo pipefail', curl, 'cd "$COPY"', ...commands].join('\n')
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
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
  const port = await findFreePort()
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

async function checkPage(copy: string, page: string): Promise<boolean> {
  const blocks = readBlocks(join(copy, page))
  rmSync(join(copy, 'data'), { recursive: true, force: true })
  return withServer(copy, async (port) => {
    const { code, output } = await run(copy, toScript(blocks, port), {
      SALUS_URL: `http://127.0.0.1:${port}`,
    })
    const last = output.lastIndexOf(BEGUN)
    const line = Number.parseInt(output.slice(last + BEGUN.length), 10)
    if (code === 0) console.log(`${page}: ${blocks.length} blocks ran`)
    else
      console.error(
        `${page}:${line} failed with ${code}:\n${output.slice(last).split('\n').slice(1).join('\n')}`,
      )
    return code === 0
  })
}

const given = process.argv.slice(2).filter((word) => word !== '--keep')
const copy = makeCleanCopy()
try {
  const pages = (
    given.length > 0
      ? given
      : globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: copy })
  )
    .filter((page) => existsSync(join(copy, page)) && readBlocks(join(copy, page)).length > 0)
    .sort()
  if (pages.length === 0) throw new Error('No page has a block that begins with ```sh run.')
  const installed = await run(copy, 'npm ci', {})
  if (installed.code !== 0) throw new Error(`npm ci failed:\n${installed.output}`)
  for (const page of pages) if (!(await checkPage(copy, page))) process.exitCode = 1
} finally {
  if (process.argv.includes('--keep')) console.log(`It ran in ${copy}`)
  else rmSync(copy, { recursive: true, force: true })
}
