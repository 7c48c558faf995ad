import { constants } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResultTransport, SendingTransport } from '@salus/contracts/lab-gateway'
import type { Log } from '@salus/kernel/log'
import { createPolledReceiver, type FileEntry, type FileSource } from './polled-files.ts'
import { type OutgoingContent, type Receiver, type Sender, TransportError } from './transport.ts'

const NAME = '{control_id}.hl7'

/** Returns the name of the file of a message. Whatever numbers contain, it is a plain name. */
export function fileNameOf(pattern: string | undefined, message: OutgoingContent): string {
  return (pattern ?? NAME)
    .replaceAll('{control_id}', message.controlId)
    .replaceAll('{requisition}', message.requisition ?? message.controlId)
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
}

/** Returns what a promise gives; null for a file that does not exist. */
async function unlessMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function inFolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof TransportError) throw cause
    throw new TransportError((cause as NodeJS.ErrnoException).code ?? 'folder', { cause })
  }
}

/**
 * Lays messages into a folder, from which other software takes them. A file appears whole: it is
 * written under another name, brought to the disk, and renamed. A file of another message under
 * the name is not replaced: it was not taken yet.
 */
export function createFolderSender({
  dir,
  name,
}: Extract<SendingTransport, { kind: 'folder' }>): Sender {
  return {
    send: (message) =>
      inFolder(async () => {
        const target = join(dir, fileNameOf(name, message))
        const present = await unlessMissing(readFile(target))
        if (present !== null) {
          if (!present.equals(message.content)) throw new TransportError('name_taken')
          // A repetition finds its own file of before.
          return null
        }
        const file = await open(`${target}.tmp`, 'w', 0o600)
        try {
          await file.writeFile(message.content)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(`${target}.tmp`, target)
        return null
      }),
    check: () => inFolder(() => access(dir, constants.W_OK)),
    close: async () => {},
  }
}

/** Receives the files of a folder. */
export function createFolderReceiver(
  options: Extract<ResultTransport, { kind: 'folder-poll' }>,
  log: Log,
): Receiver {
  const { dir } = options
  const source: FileSource = {
    list: () =>
      inFolder(async () => {
        const entries = await readdir(dir, { withFileTypes: true })
        const files = entries.filter((entry) => entry.isFile())
        const found = await Promise.all(files.map(({ name }) => entryOf(dir, name)))
        return found.filter((file) => file !== null)
      }),
    stat: (name) => inFolder(() => entryOf(dir, name)),
    read: (name) => inFolder(() => readFile(join(dir, name))),
    remove: (name) => inFolder(() => rm(join(dir, name), { force: true })),
    move: (name, folder, spareName) =>
      inFolder(async () => {
        await mkdir(folder, { recursive: true })
        const isTaken = (await unlessMissing(stat(join(folder, name)))) !== null
        await rename(join(dir, name), join(folder, isTaken ? spareName : name))
      }),
  }
  return createPolledReceiver(options, (work) => work(source), log)
}

async function entryOf(dir: string, name: string): Promise<FileEntry | null> {
  const found = await unlessMissing(stat(join(dir, name)))
  return found && { name, size: found.size, modifiedAt: found.mtimeMs }
}
