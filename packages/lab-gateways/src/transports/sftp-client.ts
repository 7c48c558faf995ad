import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import type { SendingTransport } from '@salus/contracts/lab-gateway'
import type { ReadSecret } from './tls-options.ts'
import { TransportError } from './transport.ts'

export type Client = InstanceType<typeof import('ssh2-sftp-client')>
type Options = Pick<
  Extract<SendingTransport, { kind: 'sftp' }>,
  'host' | 'port' | 'user' | 'key' | 'host_key'
>

const READY_TIMEOUT_MS = 20_000
/** A server that is gone without a word is noticed after a minute. */
const KEEPALIVE_MS = 15_000
const MOST_MISSED_KEEPALIVES = 4

type HostKeyAlgorithms = NonNullable<
  NonNullable<NonNullable<Parameters<Client['connect']>[0]>['algorithms']>['serverHostKey']
>

/** Kinds of host keys: a server has several, and the pinned one may be any. */
const KEY_KINDS: readonly HostKeyAlgorithms[] = [
  ['ssh-ed25519'],
  ['rsa-sha2-512', 'rsa-sha2-256'],
  ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
]

/**
 * Returns a function that signs in to the server whose key is the pinned one, works, and signs out.
 * @throws TransportError with `other_host_key`, `sign_in_refused`, `wrong_key` (ours cannot be
 *   read), `connection_lost`, or a code of the system
 */
export function connectSftp(
  options: Options,
  readSecret: ReadSecret,
): <T>(work: (client: Client) => Promise<T>) => Promise<T> {
  let kinds = KEY_KINDS
  return (work) =>
    inServer(async () => {
      const privateKey = await readSecret(options.key)
      for (const kind of kinds) {
        const client = await signIn(options, privateKey, kind)
        if (client === null) continue
        kinds = [kind, ...kinds.filter((other) => other !== kind)]
        try {
          return await work(client)
        } finally {
          await client.end().catch(() => {})
        }
      }
      throw new TransportError('other_host_key')
    })
}

/** Signs in; null when the server has not the pinned key among those of the kind. */
async function signIn(
  { host, port, user, host_key: pinned }: Options,
  privateKey: string,
  serverHostKey: HostKeyAlgorithms,
): Promise<Client | null> {
  // Loaded with the first use, because most installations have no SFTP.
  const { default: SftpClient } = await import('ssh2-sftp-client')
  const client = new SftpClient()
  // The library leaves Nagle's algorithm on, which can delay each block by 40 ms.
  const socket = connect({ host, port: port ?? 22, noDelay: true })
  let isOtherKey = false
  try {
    await client.connect({
      sock: socket,
      username: user,
      privateKey,
      readyTimeout: READY_TIMEOUT_MS,
      keepaliveInterval: KEEPALIVE_MS,
      keepaliveCountMax: MOST_MISSED_KEEPALIVES,
      algorithms: { serverHostKey },
      hostVerifier: (serverKey: Buffer) => {
        isOtherKey = fingerprintOf(serverKey) !== pinned.replace(/=$/, '')
        return !isOtherKey
      },
    })
    return client
  } catch (error) {
    await client.end().catch(() => {})
    socket.destroy()
    if (isOtherKey || /no matching host key/i.test(String(error))) return null
    throw error
  }
}

/** Returns the fingerprint of a host key as OpenSSH prints it. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

/** Codes of the status messages of SFTP, by what the system says for the same. */
const STATUS_CODES: Readonly<Record<number, string>> = {
  2: 'ENOENT',
  3: 'EACCES',
  4: 'sftp_failure',
}
/** Errors that the library describes only by their message. */
const WORDS: readonly [RegExp, string][] = [
  [/authentication methods failed/i, 'sign_in_refused'],
  [/cannot parse privatekey/i, 'wrong_key'],
  [
    /no sftp connection|unexpected (?:end|close)|no response from server|keepalive/i,
    'connection_lost',
  ],
]

/** Does work at a server. @throws TransportError with a code for what the library throws */
export async function inServer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof TransportError) throw cause
    const { code, message = '' } = cause as { code?: unknown; message?: string }
    const said = WORDS.find(([pattern]) => pattern.test(message))?.[1]
    const known = typeof code === 'number' ? STATUS_CODES[code] : code
    throw new TransportError(said ?? (typeof known === 'string' ? known : 'sftp'), { cause })
  }
}
