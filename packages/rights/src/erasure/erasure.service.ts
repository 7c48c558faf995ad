import { refuseHeldPerson } from '@salus/accounts/legal-holds'
import { cutPage, PAGE_SIZE, readPosition } from '@salus/accounts/teams'
import { deleteUser, getUserRow, type UserParts } from '@salus/accounts/users'
import { notFound } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { countPersonRows } from '../person-data/index.ts'
import type { Erasure, ErasureDryRun, ErasureStatement } from './erasure.schema.ts'
import * as repository from './erasures.repository.ts'
import { describeRemovedAndKept } from './removed-and-kept.ts'

/**
 * Work for the user that is in progress when an erasure is requested, such as an upload, has ended
 * by then.
 */
const QUIET_MS = 120_000

/** Queue of all jobs that erase, so that one rewrites the tables at a time. */
export const ERASURES = 'erasures'

export const ERASE_PERSON = defineJob<{ environmentId: string; userId: string }>('erase_person')

/**
 * Hides a user as a delete does, and schedules the erasure in two minutes instead of a week. It
 * cannot be undone.
 * @throws AppError 404; 409 `legal_hold`
 */
export function requestErasure(
  scope: Scope,
  userParts: UserParts,
  givenId: string,
): Promise<Erasure> {
  const userId = givenId.toLowerCase()
  return scope.transaction(async (tx) => {
    await deleteUser(tx, userParts, userId)
    const requested_at = tx.clock.now()
    const due_at = new Date(requested_at.getTime() + QUIET_MS)
    const erasure = { id: newId(), user_id: userId, cause: 'requested' as const }
    await repository.insertErasure(tx, { ...erasure, requested_at, due_at })
    const job = { environmentId: tx.environment.id, userId }
    await addJob(tx.db, ERASE_PERSON, job, { queue: ERASURES, runAt: due_at })
    return getErasure(tx, erasure.id)
  })
}

/**
 * Returns what an erasure would remove now, or refuses as it would; nothing is changed.
 * @throws AppError 404; 409 `legal_hold`
 */
export async function tryErasure(scope: Scope, userId: string): Promise<ErasureDryRun> {
  const { id } = await getUserRow(scope, userId)
  await refuseHeldPerson(scope, id)
  const rows = Object.fromEntries(await countPersonRows(scope, id))
  return describeRemovedAndKept({ rows, files: await repository.countFiles(scope, id) })
}

/** @throws AppError 404 */
export async function getErasure(scope: Scope, id: string): Promise<Erasure> {
  const row = await repository.findErasure(scope, id.toLowerCase())
  if (row === undefined) throw notFound('Erasure')
  return toErasure(row)
}

/** Returns a page of erasures, the newest first. @throws AppError 400 `invalid_cursor` */
export async function listErasures(scope: Scope, cursor: string | undefined) {
  const about = ['erasures', scope.environment.id]
  const after = readPosition(about, cursor)
  const rows = await repository.listErasures(scope, after, PAGE_SIZE + 1)
  const { page, nextCursor } = cutPage(about, rows)
  return { data: page.map(toErasure), next_cursor: nextCursor }
}

const instantOf = (at: Date | null): string | null => at && formatInstant(at)

function toErasure(row: repository.ErasureRow): Erasure {
  const { id, user_id, cause, status, requested_at, due_at, receipt } = row
  return {
    id,
    user_id,
    cause,
    status,
    requested_at: formatInstant(requested_at),
    due_at: formatInstant(due_at),
    started_at: instantOf(row.started_at),
    completed_at: instantOf(row.completed_at),
    receipt,
    statement: receipt === null ? null : readStatement(receipt),
  }
}

function readStatement(receipt: string): ErasureStatement {
  const [, payload = ''] = receipt.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
}
