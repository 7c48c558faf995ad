import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { ResultTransport, SendingTransport } from '@salus/contracts/lab-gateway'
import type { Log } from '@salus/kernel/log'
import { fileNameOf } from './folder.ts'
import { createPolledReceiver, type FileSource } from './polled-files.ts'
import type { ReadSecret } from './tls-options.ts'
import { type Receiver, type Sender, TransportError } from './transport.ts'

type Server = Pick<
  Extract<SendingTransport, { kind: 'sftp' }>,
  'host' | 'port' | 'user' | 'key' | 'host_key' | 'dir'
>
type Client = InstanceType<typeof import('ssh2-sftp-client')>

const READY_TIMEOUT_MS = 20_000

/**
 * Lays messages onto a server of SFTP: written under another name, then renamed, so that the
 * laboratory never reads half a message.
 */
export function createSftpSender(
  options: Extract<SendingTransport, { kind: 'sftp' }>,
  readSecret: ReadSecret,
): Sender {
  return {
    send: (message) =>
      withServer(options, readSecret, async (client) => {
        const target = posix.join(options.dir, fileNameOf(options.name, message))
        const temporary = `${target}.tmp`
        await client.put(message.content, temporary)
        // A repetition finds its own file of before.
        if (await client.exists(target)) await client.delete(target)
        await client.rename(temporary, target)
        return null
      }),
    check: () =>
      withServer(options, readSecret, async (client) => void (await client.list(options.dir))),
    close: async () => {},
  }
}

/** Receives the files that a laboratory lays onto a server of SFTP. */
export function createSftpReceiver(
  options: Extract<ResultTransport, { kind: 'sftp-poll' }>,
  readSecret: ReadSecret,
  log: Log,
): Receiver {
  const { dir } = options
  return createPolledReceiver(
    options,
    (work) =>
      withServer(options, readSecret, (client) => {
        const source: FileSource = {
          list: async () =>
            (await client.list(dir))
              .filter(({ type }) => type === '-')
              .map(({ name, size }) => ({ name, size })),
          async identify(name) {
            const path = posix.join(dir, name)
            if (!(await client.exists(path))) return null
            const { size, modifyTime } = await client.stat(path)
            return `${size} ${modifyTime}`
          },
          read: async (name) => (await client.get(posix.join(dir, name))) as Buffer,
          remove: async (name) => void (await client.delete(posix.join(dir, name), true)),
          move: async (name, folder) => {
            const target = posix.join(folder, name)
            if (await client.exists(target)) await client.delete(target)
            await client.rename(posix.join(dir, name), target)
          },
        }
        return work(source)
      }),
    log,
  )
}

/** Signs in to a server whose key is the pinned one, and signs out afterwards. */
async function withServer<T>(
  { host, port, user, key, host_key: pinned }: Server,
  readSecret: ReadSecret,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const privateKey = await readSecret(key)
  // Loaded with the first use, because most installations have no SFTP.
  const { default: SftpClient } = await import('ssh2-sftp-client')
  const client = new SftpClient()
  let isOtherKey = false
  try {
    await client.connect({
      host,
      port: port ?? 22,
      username: user,
      privateKey,
      readyTimeout: READY_TIMEOUT_MS,
      hostVerifier: (serverKey: Buffer) => {
        isOtherKey = fingerprintOf(serverKey) !== pinned.replace(/=$/, '')
        return !isOtherKey
      },
    })
    return await work(client)
  } catch (cause) {
    if (cause instanceof TransportError) throw cause
    const { code } = cause as { code?: unknown }
    const known = typeof code === 'string' ? code : 'sftp'
    throw new TransportError(isOtherKey ? 'other_host_key' : known, { cause })
  } finally {
    await client.end().catch(() => {})
  }
}

/** Returns the fingerprint of a host key as OpenSSH prints it. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}
