import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  describeFormats,
  ImportFileError,
  type ImportOptions,
  mapFile,
  previewCsv,
} from '@salus/health/imports'
import { systemClock } from '@salus/kernel/time/clock'

/**
 * Runs "salus import --dry-run", "salus import csv --preview" and, without a server, "salus import
 * formats". It reads no setting and no store. Its result is a message to the parent; the lines of a
 * file go to stdout.
 */

const STDIN = '-'
/** As of the server, by default. */
const MAX_BYTES = 20 * 1024 ** 3
/** Bytes at the beginning of a table that a preview reads. */
const PREVIEW_BYTES = 256 * 1024

/** The first argument, as JSON. */
type Request =
  | { action: 'formats' }
  | { action: 'preview'; path: string; options: ImportOptions }
  | {
      action: 'map'
      path: string
      format?: string
      options: ImportOptions
      /** Whether lines are printed. */
      isJson: boolean
    }

async function run(request: Request): Promise<void> {
  if (request.action === 'formats') return answer({ formats: describeFormats() })
  const { path, options } = request
  await withFile(path, async (file) => {
    if (request.action === 'preview') return answer(await preview(file, options))
    const { format, isJson } = request
    const onLine = isJson ? (line: object) => console.log(JSON.stringify(line)) : () => undefined
    const known = { path: file, maxBytes: MAX_BYTES, options, now: systemClock.now(), onLine }
    return answer(await mapFile({ ...known, ...(format !== undefined && { format }) }))
  })
}

async function preview(path: string, { template, time_zone: zone }: ImportOptions) {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(PREVIEW_BYTES) })
    const settings = { zone, now: systemClock.now(), ...(template && { template }) }
    return await previewCsv(buffer.subarray(0, bytesRead), settings)
  } finally {
    await file.close()
  }
}

/** Calls `work` with a path that can be read more than once, which stdin has not. */
async function withFile(path: string, work: (path: string) => Promise<void>): Promise<void> {
  if (path !== STDIN) return work(path)
  const folder = await mkdtemp(join(tmpdir(), 'salus-import-'))
  try {
    const copy = join(folder, 'file')
    await pipeline(process.stdin, createWriteStream(copy, { mode: 0o600 }))
    await work(copy)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function answer(message: object): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) =>
      error === null ? resolve() : reject(error),
    )
  })
}

// `… | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

try {
  await run(JSON.parse(process.argv[2] ?? ''))
} catch (error) {
  const isExplained = error instanceof ImportFileError
  // A format must read every file or refuse it: its error is a defect to report.
  const prefix = isExplained ? '' : 'Reading the file met a defect: '
  console.error(`salus: ${prefix}${(error as Error).message}`)
  process.exitCode = 1
}
