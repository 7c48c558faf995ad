import type { Log } from '@salus/kernel/log'
import { type Receive, type Receiver, TransportError } from './transport.ts'

/** Where files with results lie: a folder, or a server of SFTP. */
export interface FileSource {
  list(): Promise<{ name: string; size: number }[]>
  /** Returns what differs when another file takes the name; null when there is none. */
  identify(name: string): Promise<string | null>
  read(name: string): Promise<Buffer>
  remove(name: string): Promise<void>
  /** Moves a file into another folder. A file of that name there is replaced. */
  move(name: string, folder: string): Promise<void>
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
 * again.
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
  let sizes = new Map<string, number>()
  const poll = async (receive: Receive): Promise<void> => {
    try {
      await withSource(async (source) => {
        const { ready, seen } = await findReady(source, options, sizes)
        sizes = seen
        for (const name of ready) {
          if (isClosed) return
          await takeFile(source, name, options, receive)
        }
      })
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

/** Returns the names of complete files, and the sizes of all that fit, for the next poll. */
async function findReady(
  source: FileSource,
  { pattern = '*', ready = 'stable-size' }: PollOptions,
  before: ReadonlyMap<string, number>,
): Promise<{ ready: string[]; seen: Map<string, number> }> {
  const files = await source.list()
  const names = new Set(files.map(({ name }) => name))
  const fitting = files.filter(({ name }) => !name.endsWith(DONE) && fits(name, pattern))
  const isReady = ({ name, size }: { name: string; size: number }): boolean =>
    ready === 'done-file' ? names.has(`${name}${DONE}`) : before.get(name) === size
  return {
    ready: fitting
      .filter(isReady)
      .map(({ name }) => name)
      .sort(),
    seen: new Map(fitting.map(({ name, size }) => [name, size])),
  }
}

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
  name: string,
  { after = 'delete', done_dir: doneDir, ready }: PollOptions,
  receive: Receive,
): Promise<void> {
  const identity = await source.identify(name)
  if (identity === null) return
  const content = await source.read(name)
  if (content.length > MOST_BYTES) throw new TransportError('too_large')
  await receive(content)
  // The laboratory laid down another file meanwhile, which the next poll takes.
  if ((await source.identify(name)) !== identity) return
  // The other way round, what is left after a crash would say that a later file is complete.
  if (ready === 'done-file') await source.remove(`${name}${DONE}`)
  if (after === 'move' && doneDir !== undefined) await source.move(name, doneDir)
  else await source.remove(name)
}
