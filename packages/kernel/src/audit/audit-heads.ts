import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretBox } from '../crypto/secret-box.ts'
import type { FileStore } from '../files/file-store.ts'
import type { JobDefinitions } from '../jobs/jobs.ts'
import type { Db } from '../postgres/database.ts'
import type { Clock } from '../time/clock.ts'
import type { ChainHead, ChainKey } from './audit-chain.ts'
import { getAuditKey } from './audit-keys.global.repository.ts'
import { findHead } from './audit-log.global.repository.ts'
import type { AuditLog } from './audit-log.ts'

/** Folder of the file store with the heads of the chain; there is one for each hour. */
export const AUDIT_HEAD_FILES = 'audit_heads'

const MOST_BYTES = 1_000

/** A head as the file store holds it, with a code that only the key of the chain can create. */
interface KeptHead {
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
 * Stores the head of the chain outside of the database once an hour. A check compares the log with
 * these heads, and so finds rows that were rewritten or removed from the end.
 */
export function auditJobs(context: HeadContext): JobDefinitions {
  return {
    handlers: { keep_audit_head: () => keepAuditHead(context) },
    schedule: '3 * * * * keep_audit_head',
  }
}

async function keepAuditHead({ db, files, secrets, clock, audit }: HeadContext): Promise<void> {
  await audit.flush()
  const { sequence, hash } = await findHead(db)
  if (sequence === 0) return
  const now = clock.now()
  const at = now.toISOString()
  const key = await getAuditKey(db, secrets, now)
  const head = { at, sequence, hash: hash.toString('hex'), key_id: key.id }
  const kept: KeptHead = { ...head, mac: macOf(key, head) }
  const name = `${at.slice(0, 13).replace('T', '-')}.json`
  const content = Buffer.from(`${JSON.stringify(kept)}\n`)
  await files.write(AUDIT_HEAD_FILES, name, content, MOST_BYTES)
}

function macOf({ key }: ChainKey, { at, sequence, hash }: Omit<KeptHead, 'mac'>): string {
  return createHmac('sha256', key).update(`head\n${at}\n${sequence}\n${hash}`).digest('hex')
}

/** Stored heads, and the names of files whose content differs from what was stored. */
export interface KeptHeads {
  heads: ChainHead[]
  changed: string[]
}

/** Reads the heads of the file store. @param keys Keys of the chain. */
export async function readAuditHeads(
  files: FileStore,
  keys: readonly ChainKey[],
): Promise<KeptHeads> {
  const heads: ChainHead[] = []
  const changed: string[] = []
  for await (const { kind, name } of files.list()) {
    if (kind !== AUDIT_HEAD_FILES) continue
    const head = parseHead(String(await files.read(kind, name)), keys)
    if (head === undefined) changed.push(name)
    else heads.push(head)
  }
  return { heads, changed: changed.sort() }
}

function parseHead(text: string, keys: readonly ChainKey[]): ChainHead | undefined {
  try {
    const kept = JSON.parse(text) as KeptHead
    const key = keys.find(({ id }) => id === kept.key_id)
    if (key === undefined) return undefined
    const [mac, expected] = [Buffer.from(kept.mac, 'hex'), Buffer.from(macOf(key, kept), 'hex')]
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined
    return { sequence: kept.sequence, hash: Buffer.from(kept.hash, 'hex') }
  } catch {
    return undefined
  }
}
