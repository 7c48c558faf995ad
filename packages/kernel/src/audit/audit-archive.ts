import { createHash, createHmac } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { SecretBox } from '../crypto/secret-box.ts'
import { FileMissingError, type FileStore } from '../files/file-store.ts'
import {
  type AuditDamage,
  type AuditRow,
  ChainCheck,
  type ChainHead,
  type ChainKey,
  type HeadOfChain,
} from './audit-chain.ts'
import { isEqualMac } from './audit-heads.ts'
import { openAuditKey, type SealedKey } from './audit-keys.global.repository.ts'
import { fromJson, toJson } from './read-audit-log.ts'

/** Folder of the files of an archive. */
const FOLDER = 'audit'
/** Maximum size in a bucket. */
const MOST_BYTES = 5 * 1024 ** 4
const MOST_MANIFEST_BYTES = 256 * 1024 ** 2

/** The rows that a part of an archive has of one chain: whole from the first to the last. */
interface ArchivedChain {
  chain_id: number
  environment_id: string | null
  rows: number
  first_sequence: number
  last_sequence: number
  /** Hash that the first row follows, and hash of the last one. */
  previous_hash: string
  last_hash: string
}

/** Description of a part, which is written after its rows. */
interface ArchiveManifest {
  format: 1
  segment: number
  opened_at: string
  closed_at: string | null
  file: string
  /** SHA-256 of the file as it is. */
  sha256: string
  bytes: number
  chains: ArchivedChain[]
  /** Keys of the rows, sealed with the secret key of the deployment. */
  keys: SealedKey[]
  key_id: string
  /** Code of all fields above by that key. */
  mac: string
}

/** A segment to archive. */
interface ArchivedSegment {
  id: number
  openedAt: Date
  closedAt: Date | null
  /** Rows in the order of their chains. */
  rows: AsyncIterable<AuditRow[]>
  /** Returns what the first row of a chain in the segment follows. */
  findStart: (first: AuditRow) => Promise<ChainHead>
}

const nameOf = (segment: number): string => `segment-${String(segment).padStart(10, '0')}`

/** Writes a segment: its rows as compressed JSON Lines, and then its manifest. */
export async function writeArchivePart(
  target: FileStore,
  segment: ArchivedSegment,
  { keys, sealed }: { keys: readonly ChainKey[]; sealed: readonly SealedKey[] },
): Promise<void> {
  const [key] = keys
  if (key === undefined) throw new Error('An archive needs a key.')
  const file = `${nameOf(segment.id)}.ndjson.zst`
  const chains: ArchivedChain[] = []
  const used = new Set<string>([key.id])
  const hash = createHash('sha256')
  const lines = linesOf(segment, chains, used)
  const compressed = pipeline(Readable.from(lines), createZstdCompress(), () => {})
  const hashed = async function* () {
    for await (const chunk of compressed) {
      hash.update(chunk)
      yield chunk
    }
  }
  const bytes = await target.write(FOLDER, file, Readable.from(hashed()), MOST_BYTES)
  const described = {
    format: 1 as const,
    segment: segment.id,
    opened_at: segment.openedAt.toISOString(),
    closed_at: segment.closedAt?.toISOString() ?? null,
    file,
    sha256: hash.digest('hex'),
    bytes,
    chains,
    keys: sealed.filter(({ id }) => used.has(id)),
    key_id: key.id,
  }
  const manifest: ArchiveManifest = { ...described, mac: macOf(key, described) }
  const text = Buffer.from(`${JSON.stringify(manifest)}\n`)
  await target.write(FOLDER, `${nameOf(segment.id)}.json`, text, MOST_MANIFEST_BYTES)
}

async function* linesOf(
  { rows, findStart }: ArchivedSegment,
  chains: ArchivedChain[],
  keys: Set<string>,
): AsyncGenerator<Buffer> {
  let chain: ArchivedChain | undefined
  for await (const page of rows) {
    const lines: string[] = []
    for (const row of page) {
      if (chain?.chain_id !== row.chainId) {
        const { hash } = await findStart(row)
        chain = {
          chain_id: row.chainId,
          environment_id: row.environmentId,
          rows: 0,
          first_sequence: row.sequence,
          last_sequence: row.sequence,
          previous_hash: hash.toString('hex'),
          last_hash: '',
        }
        chains.push(chain)
      }
      chain.rows += 1
      chain.last_sequence = row.sequence
      chain.last_hash = row.hash.toString('hex')
      if (row.keyId !== null) keys.add(row.keyId)
      lines.push(`${JSON.stringify(toJson(row))}\n`)
    }
    yield Buffer.from(lines.join(''))
  }
}

const macOf = ({ key }: ChainKey, { ...manifest }: Omit<ArchiveManifest, 'mac'>): string =>
  createHmac('sha256', key)
    .update(`archive\n${JSON.stringify(manifest)}`)
    .digest('hex')

/** What a check of an archive found. */
export interface ArchiveCheck {
  parts: number
  rows: number
  damages: AuditDamage[]
  /** Sentences about files. */
  problems: string[]
  heads: HeadOfChain[]
}

/**
 * Checks an archive with nothing but its files and the secret key: each manifest by its code, each
 * file by its hash, each row by the chain, and that no part is missing between two others.
 * @param only Segments to check; all by default.
 */
export async function verifyArchive(
  target: FileStore,
  secrets: SecretBox,
  only?: ReadonlySet<number>,
): Promise<ArchiveCheck> {
  const names: string[] = []
  for await (const { kind, name } of target.list()) {
    if (kind === FOLDER && name.endsWith('.json')) names.push(name)
  }
  const ends = new Map<number, ChainHead>()
  const check: ArchiveCheck = { parts: 0, rows: 0, damages: [], problems: [], heads: [] }
  for (const name of names.sort()) {
    const text = String(await target.read(FOLDER, name))
    const opened = openManifest(text, secrets)
    if (opened === undefined) {
      check.problems.push(`${name} was changed, or its key is missing.`)
      continue
    }
    if (only?.has(opened.manifest.segment) === false) continue
    await verifyPart(target, opened, check)
    if (only === undefined) joinParts(name, opened.manifest, ends, check)
    check.parts += 1
  }
  for (const id of only ?? []) {
    const name = `${nameOf(id)}.json`
    if (!names.includes(name)) check.problems.push(`${name} is missing.`)
  }
  check.heads = [...ends].map(([chainId, end]) => ({ chainId, ...end }))
  return check
}

interface OpenedManifest {
  manifest: ArchiveManifest
  keys: ChainKey[]
}

function openManifest(text: string, secrets: SecretBox): OpenedManifest | undefined {
  try {
    const { mac, ...described } = JSON.parse(text) as ArchiveManifest
    const keys = described.keys.flatMap((sealed) => openAuditKey(secrets, sealed) ?? [])
    const key = keys.find(({ id }) => id === described.key_id)
    if (key === undefined || !isEqualMac(mac, macOf(key, described))) return undefined
    return { manifest: { ...described, mac }, keys }
  } catch {
    return undefined
  }
}

async function verifyPart(
  target: FileStore,
  { manifest, keys }: OpenedManifest,
  check: ArchiveCheck,
): Promise<void> {
  const chain = new ChainCheck({
    keys,
    chains: manifest.chains.map((one) => ({
      id: one.chain_id,
      start: { sequence: one.first_sequence - 1, hash: Buffer.from(one.previous_hash, 'hex') },
      end: { sequence: one.last_sequence, hash: Buffer.from(one.last_hash, 'hex') },
    })),
  })
  const hash = createHash('sha256')
  try {
    for await (const row of readPart(target, manifest.file, (chunk) => hash.update(chunk))) {
      chain.add(row)
    }
    if (hash.digest('hex') !== manifest.sha256) throw new Error('differs')
  } catch (error) {
    const verb = error instanceof FileMissingError ? 'is missing' : 'was changed'
    check.problems.push(`${manifest.file} ${verb}.`)
  }
  chain.end()
  check.rows += chain.rows
  check.damages.push(...chain.damages)
}

async function* readPart(
  target: FileStore,
  file: string,
  onChunk: (chunk: Buffer) => void,
): AsyncGenerator<AuditRow> {
  const stored = await target.stream(FOLDER, file)
  const watched = async function* () {
    for await (const chunk of stored) {
      onChunk(chunk)
      yield chunk
    }
  }
  try {
    let rest = ''
    const decoder = new TextDecoder()
    const unpacked = pipeline(Readable.from(watched()), createZstdDecompress(), () => {})
    for await (const chunk of unpacked) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield fromJson(JSON.parse(line))
    }
  } finally {
    stored.destroy()
  }
}

/** Finds parts that are missing before this one. */
function joinParts(
  name: string,
  { chains }: ArchiveManifest,
  ends: Map<number, ChainHead>,
  { problems }: ArchiveCheck,
): void {
  for (const chain of chains) {
    const end = ends.get(chain.chain_id)
    const follows =
      end === undefined ||
      (end.sequence === chain.first_sequence - 1 &&
        end.hash.toString('hex') === chain.previous_hash)
    if (!follows) {
      problems.push(`${name} does not follow the part before it in chain ${chain.chain_id}.`)
    }
    ends.set(chain.chain_id, {
      sequence: chain.last_sequence,
      hash: Buffer.from(chain.last_hash, 'hex'),
    })
  }
}
