import { constants } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ResultTransport, SendingTransport } from '@salus/contracts/lab-gateway'
import type { Log } from '@salus/kernel/log'
import { createPolledReceiver, type FileSource } from './polled-files.ts'
import { type OutgoingContent, type Receiver, type Sender, TransportError } from './transport.ts'

const NAME = '{control_id}.hl7'

/** Returns the name of the file of a message. Whatever numbers contain, it is a plain name. */
export function fileNameOf(pattern: string | undefined, message: OutgoingContent): string {
  return (pattern ?? NAME)
    .replaceAll('{control_id}', message.controlId)
    .replaceAll('{requisition}', message.requisition ?? message.controlId)
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
}

async function inFolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof TransportError) throw cause
    throw new TransportError((cause as NodeJS.ErrnoException).code ?? 'folder', { cause })
  }
}

/** Returns null for the error of a file that is not there. @throws another error */
function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}

/**
 * Lays messages into a folder, from which other software takes them. A file appears whole: it is
 * written under another name, brought to the disk, and renamed.
 */
export function createFolderSender({
  dir,
  name,
}: Extract<SendingTransport, { kind: 'folder' }>): Sender {
  return {
    send: (message) =>
      inFolder(async () => {
        const target = join(dir, fileNameOf(name, message))
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
        return Promise.all(
          files.map(async ({ name }) => ({ name, size: (await stat(join(dir, name))).size })),
        )
      }),
    identify: (name) =>
      inFolder(async () => {
        const found = await stat(join(dir, name), { bigint: true }).catch(ifMissing)
        return found && `${found.ino} ${found.size} ${found.mtimeNs}`
      }),
    read: (name) => inFolder(() => readFile(join(dir, name))),
    remove: (name) => inFolder(() => rm(join(dir, name), { force: true })),
    move: (name, folder) =>
      inFolder(async () => {
        await mkdir(folder, { recursive: true })
        await rename(join(dir, name), join(folder, basename(name)))
      }),
  }
  return createPolledReceiver(options, (work) => work(source), log)
}
