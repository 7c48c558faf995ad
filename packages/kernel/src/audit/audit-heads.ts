import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretBox } from '../crypto/secret-box.ts'
import type { FileStore } from '../files/file-store.ts'
import type { Db } from '../postgres/database.ts'
import type { Clock } from '../time/clock.ts'
import { type ChainKey, FORMER_CHAIN, type HeadOfChain } from './audit-chain.ts'
import { listChains } from './audit-chains.global.repository.ts'
import { getAuditKey } from './audit-keys.global.repository.ts'
import type { AuditLog } from './audit-log.ts'

/** Folder of the file store with the heads of the chains; there is one for each hour. */
export const AUDIT_HEAD_FILES = 'audit_heads'

/** Some 500,000 chains. */
const MOST_BYTES = 64 * 1024 ** 2

/** Heads as the file store holds them, with a code that only a key of the chains can create. */
interface KeptFile {
  at: string
  /** Of the chains that have grown since the file before. */
  heads: { chain_id: number; sequence: number; hash: string }[]
  key_id: string
  mac: string
}

/** A file of before each environment had its chain. */
interface FormerFile {
  at: string
  sequence: number
  hash: string
  key_id: string
  mac: string
}

interface HeadContext {
  db: Db
  files: FileStore
  secrets: SecretBox
  clock: Clock
  audit: AuditLog
}

/**
 * Returns a job that stores the heads of the chains outside of the database. A check compares the
 * log with them, and so finds rows that were rewritten or removed from the end.
 */
export function createHeadKeeper({ db, files, secrets, clock, audit }: HeadContext) {
  /** Ends that this process has stored. */
  const stored = new Map<number, number>()
  return async (): Promise<void> => {
    await audit.flush()
    const heads = (await listChains(db)).flatMap(({ id: chainId, end }) =>
      end === null || stored.get(chainId) === end.sequence ? [] : { chainId, ...end },
    )
    if (heads.length === 0) return
    const now = clock.now()
    const at = now.toISOString()
    const key = await getAuditKey(db, secrets, now)
    const kept: KeptFile = {
      at,
      heads: heads.map(({ chainId, sequence, hash }) => {
        return { chain_id: chainId, sequence, hash: hash.toString('hex') }
      }),
      key_id: key.id,
      mac: macOf(key, at, heads),
    }
    const name = `${at.slice(0, 13).replace('T', '-')}.json`
    await files.write(AUDIT_HEAD_FILES, name, Buffer.from(`${JSON.stringify(kept)}\n`), MOST_BYTES)
    for (const { chainId, sequence } of heads) stored.set(chainId, sequence)
  }
}

function macOf({ key }: ChainKey, at: string, heads: readonly HeadOfChain[]): string {
  const lines = heads.map(
    ({ chainId, sequence, hash }) => `${chainId}\n${sequence}\n${hash.toString('hex')}`,
  )
  return createHmac('sha256', key)
    .update(['heads', at, ...lines].join('\n'))
    .digest('hex')
}

function formerMacOf({ key }: ChainKey, { at, sequence, hash }: FormerFile): string {
  return createHmac('sha256', key).update(`head\n${at}\n${sequence}\n${hash}`).digest('hex')
}

/** Stored heads, and the names of files whose content differs from what was stored. */
export interface KeptHeads {
  heads: HeadOfChain[]
  files: number
  changed: string[]
}

/** Reads the heads of the file store. @param keys Keys of the chains. */
export async function readAuditHeads(
  files: FileStore,
  keys: readonly ChainKey[],
): Promise<KeptHeads> {
  const kept: KeptHeads = { heads: [], files: 0, changed: [] }
  for await (const { kind, name } of files.list()) {
    if (kind !== AUDIT_HEAD_FILES) continue
    const heads = parseFile(String(await files.read(kind, name)), keys)
    if (heads === undefined) {
      kept.changed.push(name)
      continue
    }
    kept.files += 1
    kept.heads.push(...heads)
  }
  kept.changed.sort()
  return kept
}

function parseFile(text: string, keys: readonly ChainKey[]): HeadOfChain[] | undefined {
  try {
    const file = JSON.parse(text) as KeptFile | FormerFile
    const key = keys.find(({ id }) => id === file.key_id)
    if (key === undefined) return undefined
    const isFormer = 'sequence' in file
    const listed = isFormer ? [{ chain_id: FORMER_CHAIN, ...file }] : file.heads
    const heads = listed.map(({ chain_id: chainId, sequence, hash }) => {
      return { chainId, sequence, hash: Buffer.from(hash, 'hex') }
    })
    const expected = isFormer ? formerMacOf(key, file) : macOf(key, file.at, heads)
    return isEqualMac(file.mac, expected) ? heads : undefined
  } catch {
    return undefined
  }
}

/** Whether two codes in hexadecimal digits are equal, in a time that does not depend on them. */
export function isEqualMac(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given, 'hex'), Buffer.from(expected, 'hex')]
  return one.length === other.length && timingSafeEqual(one, other)
}
