import { posix } from 'node:path'
import type { ResultTransport, SendingTransport } from '@salus/contracts/lab-gateway'
import type { Log } from '@salus/kernel/log'
import { fileNameOf } from './folder.ts'
import { createPolledReceiver, type FileSource } from './polled-files.ts'
import { type Client, connectSftp, inServer } from './sftp-client.ts'
import type { ReadSecret } from './tls-options.ts'
import { type Receiver, type Sender, TransportError } from './transport.ts'

/**
 * Lays messages onto a server of SFTP: written under another name, then renamed, so that the
 * laboratory never reads half a message. A file of another message under the name is not replaced:
 * the laboratory has not taken it yet.
 */
export function createSftpSender(
  options: Extract<SendingTransport, { kind: 'sftp' }>,
  readSecret: ReadSecret,
): Sender {
  const withServer = connectSftp(options, readSecret)
  return {
    send: (message) =>
      withServer(async (client) => {
        const target = posix.join(options.dir, fileNameOf(options.name, message))
        if (await client.exists(target)) {
          const { size } = await client.stat(target)
          const isOwn =
            size === message.content.length && (await hasContent(client, target, message.content))
          if (!isOwn) throw new TransportError('name_taken')
          // A repetition finds its own file of before.
          return null
        }
        const temporary = `${target}.tmp`
        await client.put(message.content, temporary)
        await client.rename(temporary, target)
        return null
      }),
    check: () => withServer(async (client) => void (await client.list(options.dir))),
    close: async () => {},
  }
}

const hasContent = async (client: Client, path: string, content: Buffer): Promise<boolean> =>
  content.equals((await client.get(path)) as Buffer)

/** Receives the files that a laboratory lays onto a server of SFTP. */
export function createSftpReceiver(
  options: Extract<ResultTransport, { kind: 'sftp-poll' }>,
  readSecret: ReadSecret,
  log: Log,
): Receiver {
  const withServer = connectSftp(options, readSecret)
  return createPolledReceiver(
    options,
    (work) => withServer((client) => work(sourceOf(client, options.dir))),
    log,
  )
}

function sourceOf(client: Client, dir: string): FileSource {
  const pathOf = (name: string): string => posix.join(dir, name)
  return {
    list: () =>
      inServer(async () =>
        (await client.list(dir))
          // Some servers do not say what a file is.
          .filter(({ type, name }) => !['d', 'l'].includes(type) && !/^\.{1,2}$/.test(name))
          .map(({ name, size, modifyTime }) => ({ name, size, modifiedAt: modifyTime })),
      ),
    stat: (name) =>
      inServer(async () => {
        if (!(await client.exists(pathOf(name)))) return null
        const { size, modifyTime: modifiedAt } = await client.stat(pathOf(name))
        return { name, size, modifiedAt }
      }),
    read: (name) => inServer(async () => (await client.get(pathOf(name))) as Buffer),
    remove: (name) => inServer(async () => void (await client.delete(pathOf(name), true))),
    move: (name, folder, spareName) =>
      inServer(async () => {
        if (!(await client.exists(folder))) await client.mkdir(folder, true)
        const target = posix.join(folder, name)
        const spare = posix.join(folder, spareName)
        if (!(await client.exists(target))) return void (await client.rename(pathOf(name), target))
        // Named by its content, so a file under this name is the same one.
        if (await client.exists(spare)) await client.delete(spare)
        await client.rename(pathOf(name), spare)
      }),
  }
}
