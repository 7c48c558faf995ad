import { createHash, randomBytes } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { DAY_MS } from '@salus/contracts/time-units'
import { StartupError } from '@salus/kernel/errors'
import { FileMissingError, type FileStore } from '@salus/kernel/files/file-store'
import { openPart, sealPart } from './backup-cipher.ts'

/** Entry of the manifest about a part. */
export interface BackupPart {
  /** Name of its file, which reveals nothing about its content. */
  name: string
  /** SHA-256 of the sealed file in the backup. */
  sha256: string
  sealed_bytes: number
  /** Number of bytes of its content. */
  bytes: number
  /** Number of lines or files. */
  rows: number
}

export interface TablePart extends BackupPart {
  store: 'postgres' | 'clickhouse'
  /** Schema of PostgreSQL. */
  schema: string
  table: string
  columns: string[]
}

/** Written last: a folder without a manifest is not a backup. */
export interface BackupManifest {
  format: 1
  id: string
  /** Instant of the backup: it contains what was acknowledged before. */
  taken_at: string
  salus_version: string
  /** Number of the newest migration of each store. */
  schema: { postgres: number; clickhouse: number }
  tables: TablePart[]
  files: BackupPart
}

const MANIFEST = 'manifest'
/** Minimum size of sealed content, so that most tables have files of one size. */
const LEAST_BYTES = 16 * 1024
/** A frame that decompressors skip: this number, the length of the content, and the content. */
const SKIPPED_FRAME = 0x184d2a50
const SKIPPED_HEADER_BYTES = 8
/** Maximum size in a bucket. */
const MOST_PART_BYTES = 5 * 1024 ** 4
const NEWLINE = 10

/** One backup in a folder or a bucket: sealed parts, and the manifest that lists them. */
export class BackupArchive {
  readonly id: string
  readonly #target: FileStore
  readonly #keys: readonly Buffer[]
  readonly #written: string[] = []

  /** @param keys The first key seals, each opens. */
  constructor(target: FileStore, id: string, keys: readonly Buffer[]) {
    this.#target = target
    this.id = id
    this.#keys = keys
  }

  /**
   * Compresses, pads, seals and writes a part with a random name; it is durable when this returns.
   */
  write(
    content: AsyncIterable<Uint8Array>,
    onBytes: (bytes: number) => void = () => {},
  ): Promise<BackupPart> {
    return this.#write(randomBytes(16).toString('hex'), content, onBytes)
  }

  async #write(
    name: string,
    content: AsyncIterable<Uint8Array>,
    onBytes: (bytes: number) => void,
  ): Promise<BackupPart> {
    const [key] = this.#keys
    if (key === undefined) throw new Error('A backup needs a key.')
    let [bytes, rows] = [0, 0]
    async function* counted() {
      for await (const chunk of content) {
        bytes += chunk.length
        for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) rows++
        onBytes(chunk.length)
        yield chunk
      }
    }
    const compressed = pipeline(Readable.from(counted()), createZstdCompress(), () => {})
    const hash = createHash('sha256')
    async function* hashed(sealed: AsyncIterable<Buffer>) {
      for await (const chunk of sealed) {
        hash.update(chunk)
        yield chunk
      }
    }
    const sealed = Readable.from(hashed(sealPart(pad(compressed), key, this.#nameOf(name))))
    this.#written.push(name)
    const sealed_bytes = await this.#target.write(this.id, name, sealed, MOST_PART_BYTES)
    return { name, sha256: hash.digest('hex'), sealed_bytes, bytes, rows }
  }

  /**
   * Yields the content of a part, verified piece by piece.
   * @throws StartupError when anything of it is missing or was changed
   */
  async *read({ name, sha256 }: Pick<BackupPart, 'name' | 'sha256'>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256')
    yield* this.#open(name, (chunk) => hash.update(chunk))
    if (hash.digest('hex') !== sha256) {
      throw new StartupError(`A part of the backup does not match its manifest (${name}).`)
    }
  }

  async writeManifest(manifest: BackupManifest): Promise<void> {
    const text = Buffer.from(JSON.stringify(manifest))
    await this.#write(MANIFEST, Readable.from([text]), () => {})
  }

  /** @throws StartupError when there is none, or no key opens it */
  async readManifest(): Promise<BackupManifest> {
    const manifest: BackupManifest = JSON.parse(
      (await buffer(this.#open(MANIFEST, () => {}))).toString(),
    )
    if (manifest.format === 1 && manifest.id === this.id) return manifest
    throw new StartupError('This version of Salus cannot read this backup. Start a newer Salus.')
  }

  /** Removes the files that this object wrote. */
  remove(): Promise<void> {
    return removeBackup(this.#target, { id: this.id, parts: this.#written })
  }

  async *#open(name: string, onSealed: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
    const stored = await this.#target.stream(this.id, name).catch((error: unknown) => {
      if (!(error instanceof FileMissingError)) throw error
      throw new StartupError(`A part of the backup is missing (${this.#nameOf(name)}).`)
    })
    async function* watched() {
      for await (const chunk of stored) {
        onSealed(chunk)
        yield chunk
      }
    }
    const opened = openPart(watched(), this.#keys, this.#nameOf(name))
    try {
      yield* pipeline(Readable.from(opened), createZstdDecompress(), () => {})
    } finally {
      stored.destroy()
    }
  }

  #nameOf(name: string): string {
    return `${this.id}/${name}`
  }
}

/**
 * Pads compressed content to one of a few lengths, so that the size of a file reveals little about
 * its content: by 12 percent at most where it is large (Padmé, Nikitin et al. 2019).
 */
async function* pad(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of compressed) {
    bytes += chunk.length
    yield chunk
  }
  const wanted = paddedLength(Math.max(LEAST_BYTES, bytes + SKIPPED_HEADER_BYTES))
  let left = wanted - bytes
  while (left > 0) {
    const most = left - SKIPPED_HEADER_BYTES
    // The rest for the next frame has to hold a header too.
    const room =
      most <= MOST_FRAME_BYTES ? most : Math.min(MOST_FRAME_BYTES, most - SKIPPED_HEADER_BYTES)
    const frame = Buffer.alloc(SKIPPED_HEADER_BYTES + room)
    frame.writeUInt32LE(SKIPPED_FRAME, 0)
    frame.writeUInt32LE(room, 4)
    yield frame
    left -= frame.length
  }
}

const MOST_FRAME_BYTES = 1024 ** 2

/**
 * Rounds up to a length of which only the leading bits differ: as many as the exponent has, and no
 * more.
 */
export function paddedLength(bytes: number): number {
  const exponent = Math.floor(Math.log2(bytes))
  const step = 2 ** (exponent - Math.floor(Math.log2(exponent)) - 1)
  return Math.ceil(bytes / step) * step
}

export interface ListedBackup {
  id: string
  isComplete: boolean
  bytes: number
  parts: string[]
}

/** The id of a backup contains the time at which it began, and sorts by it. */
const BACKUP_ID = /^salus-\d{8}T\d{6}Z-[0-9a-f]{8}$/

/** Lists the backups in a folder or a bucket, the oldest first. Other files there are ignored. */
export async function listBackups(target: FileStore): Promise<ListedBackup[]> {
  const backups = new Map<string, ListedBackup>()
  for await (const { kind: id, name, bytes } of target.list()) {
    if (!BACKUP_ID.test(id)) continue
    const backup = backups.get(id) ?? { id, isComplete: false, bytes: 0, parts: [] }
    backups.set(id, backup)
    backup.bytes += bytes
    backup.parts.push(name)
    if (name === MANIFEST) backup.isComplete = true
  }
  return [...backups.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Returns the name of a table as people read it: `postgres.public.orders`. */
export const nameOfTable = ({
  store,
  schema,
  table,
}: Pick<TablePart, 'store' | 'schema' | 'table'>): string =>
  [store, schema, table].filter(Boolean).join('.')

/** Removes a backup; its manifest first, so that a partly removed one does not look complete. */
export async function removeBackup(
  target: FileStore,
  { id, parts }: Pick<ListedBackup, 'id' | 'parts'>,
): Promise<void> {
  for (const name of parts.toSorted((a) => (a === MANIFEST ? -1 : 1))) await target.remove(id, name)
}

/**
 * Removes all complete backups except the newest ones, and those that were interrupted a day ago or
 * earlier.
 * @returns the names of the removed backups
 */
export async function keepNewest(target: FileStore, most: number, now: Date): Promise<string[]> {
  const backups = await listBackups(target)
  const complete = backups.filter(({ isComplete }) => isComplete)
  const dayAgo = stampOf(new Date(now.getTime() - DAY_MS))
  const left = backups.filter(({ id, isComplete }) => !isComplete && id < `salus-${dayAgo}`)
  const removed = [...complete.slice(0, Math.max(0, complete.length - most)), ...left]
  for (const backup of removed) await removeBackup(target, backup)
  return removed.map(({ id }) => id)
}

const stampOf = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '')

/** Returns a new id for a backup of this instant. */
export const newBackupId = (at: Date): string =>
  `salus-${stampOf(at)}-${randomBytes(4).toString('hex')}`
