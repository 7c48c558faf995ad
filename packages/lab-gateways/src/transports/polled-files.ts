import { createHash } from 'node:crypto'
import type { Log } from '@salus/kernel/log'
import { type Receive, type Receiver, TransportError } from './transport.ts'

/** A file as its place describes it. */
export interface FileEntry {
  name: string
  /** Bytes. */
  size: number
  /** Time of the last change in milliseconds; places may only know seconds. */
  modifiedAt: number
}

/** Where files with results lie: a folder, or a server of SFTP. */
export interface FileSource {
  list(): Promise<FileEntry[]>
  /** Returns null for a file that is gone. */
  stat(name: string): Promise<FileEntry | null>
  read(name: string): Promise<Buffer>
  remove(name: string): Promise<void>
  /** Moves a file into another folder, under `spareName` where that has a file of its name. */
  move(name: string, folder: string, spareName: string): Promise<void>
}

/** How files are polled; see `ResultTransport`. */
export interface PollOptions {
  every_seconds?: number
  pattern?: string
  ready?: 'stable-size' | 'done-file'
  after?: 'delete' | 'move'
  done_dir?: string
}

const EVERY_SECONDS = 300
const MOST_BYTES = 200 * 1024 ** 2
const DONE = '.done'

/**
 * Receives files that a laboratory lays down. A file is taken when it is complete, stored, and only
 * then deleted or moved, so that a crash has it read again. Names are no ids: a laboratory uses one
 * again, so a file that changed while it was stored stays for the next poll.
 * @param withSource opens the place of the files for one poll, and closes it
 */
export function createPolledReceiver(
  options: PollOptions,
  withSource: <T>(work: (source: FileSource) => Promise<T>) => Promise<T>,
  log: Log,
): Receiver {
  const everyMs = (options.every_seconds ?? EVERY_SECONDS) * 1000
  let timer: NodeJS.Timeout | undefined
  let polling = Promise.resolve()
  let isClosed = false
  let known = new Map<string, FileEntry>()
  const pollOnce = async (source: FileSource, receive: Receive): Promise<void> => {
    const { ready, seen } = await findReady(source, options, known)
    known = seen
    const problems = new Map<string, number>()
    for (const file of ready) {
      if (isClosed) break
      try {
        await takeFile(source, file, options, receive)
      } catch (error) {
        // A file that cannot be read or deleted must not hold up the others.
        if (!(error instanceof TransportError)) throw error
        problems.set(error.code, (problems.get(error.code) ?? 0) + 1)
      }
    }
    for (const [reason, files] of problems) {
      log.warn({ reason, files }, 'files of a laboratory could not be taken')
    }
  }
  const poll = async (receive: Receive): Promise<void> => {
    try {
      await withSource((source) => pollOnce(source, receive))
    } catch (error) {
      const { code = 'poll_failed' } = error as { code?: string }
      log.warn({ reason: code }, 'results of a laboratory could not be fetched')
    }
    if (!isClosed) timer = setTimeout(() => start(receive), everyMs)
  }
  const start = (receive: Receive): void => {
    polling = poll(receive)
  }
  return {
    async open(receive) {
      isClosed = false
      start(receive)
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await polling
    },
    check: () => withSource(async (source) => void (await source.list())),
  }
}

/** Returns the complete files, and all that fit, for the next poll. */
async function findReady(
  source: FileSource,
  { pattern = '*', ready = 'stable-size' }: PollOptions,
  before: ReadonlyMap<string, FileEntry>,
): Promise<{ ready: FileEntry[]; seen: Map<string, FileEntry> }> {
  const files = await source.list()
  const names = new Set(files.map(({ name }) => name))
  const fitting = files.filter(({ name }) => !name.endsWith(DONE) && fits(name, pattern))
  const isReady = (file: FileEntry): boolean =>
    ready === 'done-file' ? names.has(`${file.name}${DONE}`) : isSame(file, before.get(file.name))
  return {
    ready: fitting.filter(isReady).sort((one, other) => (one.name < other.name ? -1 : 1)),
    seen: new Map(fitting.map((file) => [file.name, file])),
  }
}

const isSame = (one: FileEntry, other: FileEntry | null | undefined): boolean =>
  one.size === other?.size && one.modifiedAt === other.modifiedAt

/** Whether a name fits a pattern in which `*` stands for any letters. */
function fits(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const text = name.toLowerCase()
  if (rest.length === 0) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  const last = rest.pop() ?? ''
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

async function takeFile(
  source: FileSource,
  file: FileEntry,
  { after = 'delete', done_dir: doneDir, ready }: PollOptions,
  receive: Receive,
): Promise<void> {
  const { name, size } = file
  if (size > MOST_BYTES) throw new TransportError('too_large')
  const content = await source.read(name)
  // It still grows, or another process took it.
  if (!isSame(file, await source.stat(name))) return
  await receive(content)
  if (!isSame(file, await source.stat(name))) return
  // First, because the next file of this name must not be taken by the mark of this one.
  if (ready === 'done-file') await source.remove(`${name}${DONE}`)
  if (after === 'move' && doneDir !== undefined) {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
    await source.move(name, doneDir, `${name}.${hash}`)
  } else await source.remove(name)
}
