import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2, { type Attributes, type Connection, type SFTPWrapper } from 'ssh2'

const { Server, utils } = ssh2
const { OPEN_MODE, STATUS_CODE } = utils.sftp

/** What the server does in place of an operation: refuses it, or loses the connection. */
export type Trouble = 'deny' | 'lose'

/** A server of SFTP on a folder of its own, which shares no code with the client. */
export interface SftpServer {
  port: number
  folder: string
  /** Fingerprint of its first host key, and of its second one. */
  fingerprints: [string, string]
  /** The private key with which it lets its user in. */
  userKey: string
  /** Operations as they came, such as `WRITE /out/M1.hl7.tmp`. */
  operations: string[]
  trouble: (operation: string, path: string) => Trouble | undefined
  /** Sign-ins that it accepted. */
  signIns: number
  close(): Promise<void>
}

export const USER = 'salus'

function newKey(kind: 'ed25519' | 'ecdsa'): { private: string; public: string } {
  const pair =
    kind === 'ed25519'
      ? utils.generateKeyPairSync('ed25519')
      : utils.generateKeyPairSync('ecdsa', { bits: 256 })
  // The library writes one of some 500 keys in a way that it cannot read itself.
  const isReadable = !(utils.parseKey(pair.private) instanceof Error)
  return isReadable ? pair : newKey(kind)
}

/** Returns a new private key, as a file of OpenSSH has it. */
export const newUserKey = (): string => newKey('ed25519').private

function parse(key: string) {
  const parsed = utils.parseKey(key)
  if (parsed instanceof Error) throw parsed
  return Array.isArray(parsed) ? parsed[0] : parsed
}

function fingerprintOf(publicKey: string): string {
  const blob = parse(publicKey).getPublicSSH()
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}

export async function startSftpServer(): Promise<SftpServer> {
  const hostKeys = [newKey('ed25519'), newKey('ecdsa')]
  const user = newKey('ed25519')
  const allowed = parse(user.public)
  const connections = new Set<Connection>()
  const server = new Server({ hostKeys: hostKeys.map((key) => key.private) }, (connection) => {
    connections.add(connection)
    // As OpenSSH does it. The types lack the method.
    ;(connection as Connection & { setNoDelay(isOn: boolean): void }).setNoDelay(true)
    connection.on('error', () => {})
    connection.on('close', () => connections.delete(connection))
    connection.on('authentication', (context) => {
      const isKey =
        context.method === 'publickey' &&
        context.username === USER &&
        context.key.data.equals(allowed.getPublicSSH())
      if (!isKey || context.method !== 'publickey') return context.reject(['publickey'])
      const { signature, blob, hashAlgo } = context
      const isProven =
        signature === undefined || allowed.verify(blob as Buffer, signature, hashAlgo) === true
      return isProven ? context.accept() : context.reject()
    })
    connection.on('ready', () => {
      state.signIns += 1
      connection.on('session', (accept) => {
        accept().on('sftp', (acceptSftp) => serve(acceptSftp(), connection, state))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const [first, second] = hostKeys.map((key) => fingerprintOf(key.public))
  const state: SftpServer = {
    port: (server.address() as { port: number }).port,
    folder: mkdtempSync(join(tmpdir(), 'sftp-')),
    fingerprints: [first as string, second as string],
    userKey: user.private,
    operations: [],
    trouble: () => undefined,
    signIns: 0,
    async close() {
      for (const connection of connections) connection.end()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      rmSync(state.folder, { recursive: true, force: true })
    },
  }
  return state
}

type Answer = (sftp: SFTPWrapper, id: number) => void

const ok: Answer = (sftp, id) => sftp.status(id, STATUS_CODE.OK)

const attributesOf = (found: Awaited<ReturnType<typeof stat>>): Attributes => ({
  mode: Number(found.mode),
  uid: Number(found.uid),
  gid: Number(found.gid),
  size: Number(found.size),
  atime: Math.floor(Number(found.atimeMs) / 1000),
  mtime: Math.floor(Number(found.mtimeMs) / 1000),
})

/** Answers the requests of one session. Handles are numbers; folders are listed at once. */
function serve(sftp: SFTPWrapper, connection: Connection, server: SftpServer): void {
  const files = new Map<number, { file: FileHandle | null; path: string; isRead: boolean }>()
  let nextHandle = 0
  const local = (path: string) => join(server.folder, path)
  const opened = (path: string, file: FileHandle | null): Answer => {
    const handle = Buffer.alloc(4)
    handle.writeUInt32BE(++nextHandle)
    files.set(nextHandle, { file, path, isRead: false })
    return (_, id) => sftp.handle(id, handle)
  }
  const of = (handle: Buffer) => {
    const found = files.get(handle.readUInt32BE())
    if (found === undefined) throw new Error('no such handle')
    return found
  }
  const answer = (operation: string, path: string, id: number, work: () => Promise<Answer>) => {
    server.operations.push(`${operation} ${path}`)
    const trouble = server.trouble(operation, path)
    if (trouble === 'deny') return sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
    if (trouble === 'lose') return void destroy(connection)
    return void work().then(
      (respond) => respond(sftp, id),
      ({ code }) =>
        sftp.status(id, code === 'ENOENT' ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE),
    )
  }
  sftp.on('error', () => {})
  connection.on('close', () => {
    for (const { file } of files.values()) void file?.close()
  })
  sftp.on('OPEN', (id, path, flags) =>
    answer('OPEN', path, id, async () =>
      opened(path, await open(local(path), (flags & OPEN_MODE.WRITE) === 0 ? 'r' : 'w')),
    ),
  )
  sftp.on('READ', (id, handle, offset, length) => {
    const { file, path } = of(handle)
    answer('READ', path, id, async () => {
      const { bytesRead, buffer } = (await file?.read(Buffer.alloc(length), 0, length, offset)) ?? {
        bytesRead: 0,
        buffer: Buffer.alloc(0),
      }
      if (bytesRead === 0) return () => sftp.status(id, STATUS_CODE.EOF)
      return () => sftp.data(id, buffer.subarray(0, bytesRead))
    })
  })
  sftp.on('WRITE', (id, handle, offset, data) => {
    const { file, path } = of(handle)
    answer('WRITE', path, id, async () => {
      await file?.write(data, 0, data.length, offset)
      return ok
    })
  })
  sftp.on('FSTAT', (id, handle) => {
    const { path } = of(handle)
    answer('FSTAT', path, id, async () => {
      const found = attributesOf(await stat(local(path)))
      return () => sftp.attrs(id, found)
    })
  })
  sftp.on('CLOSE', (id, handle) => {
    const { file, path } = of(handle)
    files.delete(handle.readUInt32BE())
    answer('CLOSE', path, id, async () => {
      await file?.close()
      return ok
    })
  })
  serveNames(sftp, { answer, local, opened, of })
}

/** A connection that is lost: nothing more is sent, and the other side sees a reset. */
function destroy(connection: Connection): void {
  const { _sock: socket } = connection as unknown as { _sock: { destroy(): void } }
  socket.destroy()
}

interface Session {
  answer(operation: string, path: string, id: number, work: () => Promise<Answer>): void
  local(path: string): string
  opened(path: string, file: null): Answer
  of(handle: Buffer): { path: string; isRead: boolean }
}

/** Requests about names and folders. */
function serveNames(sftp: SFTPWrapper, { answer, local, opened, of }: Session): void {
  sftp.on('OPENDIR', (id, path) =>
    answer('OPENDIR', path, id, async () => {
      await stat(local(path))
      return opened(path, null)
    }),
  )
  sftp.on('READDIR', (id, handle) => {
    const directory = of(handle)
    answer('READDIR', directory.path, id, async () => {
      if (directory.isRead) return () => sftp.status(id, STATUS_CODE.EOF)
      directory.isRead = true
      const entries = await readdir(local(directory.path), { withFileTypes: true })
      const names = await Promise.all(
        entries.map(async (entry) => ({
          filename: entry.name,
          longname: `${entry.isDirectory() ? 'd' : '-'}rw-r--r-- 1 lab lab 0 ${entry.name}`,
          attrs: attributesOf(await stat(join(local(directory.path), entry.name))),
        })),
      )
      return () => sftp.name(id, names)
    })
  })
  const describe = (id: number, path: string) =>
    answer('STAT', path, id, async () => {
      const found = attributesOf(await stat(local(path)))
      return () => sftp.attrs(id, found)
    })
  sftp.on('STAT', describe)
  sftp.on('LSTAT', describe)
  sftp.on('REALPATH', (id, path) =>
    answer('REALPATH', path, id, async () => {
      const name = { filename: path, longname: path, attrs: {} as Attributes }
      return () => sftp.name(id, [name])
    }),
  )
  sftp.on('REMOVE', (id, path) =>
    answer('REMOVE', path, id, async () => {
      await rm(local(path))
      return ok
    }),
  )
  // As the protocol wants it, a name that is taken is not replaced.
  sftp.on('RENAME', (id, from, to) =>
    answer('RENAME', to, id, async () => {
      const isTaken = await stat(local(to)).then(
        () => true,
        () => false,
      )
      if (isTaken) throw new Error('taken')
      await rename(local(from), local(to))
      return ok
    }),
  )
  sftp.on('MKDIR', (id, path) =>
    answer('MKDIR', path, id, async () => {
      await mkdir(local(path))
      return ok
    }),
  )
  sftp.on('SETSTAT', (id) => ok(sftp, id))
  sftp.on('FSETSTAT', (id) => ok(sftp, id))
}
