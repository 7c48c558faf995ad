import { newId } from '@salus/kernel/ids'
import type { Harness } from '../harness.ts'

/** Exports, an erasure and a hold, which routes name. */
export interface RightsSubject {
  exportId: string
  linkSecret: string
  erasureId: string
  /** Of the further team: a user without a hold, and the hold of another user. */
  freeUserId: string
  holdId: string
}

interface Owner {
  userId: string
  managedTeamId: string
  managedKey: string
  /** Whether the files of exports are there, which takes a while to make. */
  hasFiles: boolean
}

export async function makeRightsSubject(
  harness: Harness,
  { userId, managedTeamId, managedKey, hasFiles }: Owner,
): Promise<RightsSubject> {
  const exportId = await makeExport(harness, userId, hasFiles)
  const linked = await makeExport(harness, userId, hasFiles)
  const link = await succeed(harness, `/v2/user/${userId}/export/${linked}/link`, {})
  const { id: erasureId } = await succeed(
    harness,
    `/v2/user/${await harness.makeUser()}/erasure`,
    undefined,
  )
  const ofManaged = { 'x-service-api-key': managedKey }
  const makeUser = async (): Promise<string> =>
    (await succeed(harness, '/v2/user', { client_user_id: newId() }, ofManaged)).user_id
  const path = `/v1/org/${harness.organizationId}/team/${managedTeamId}/sandbox/legal_hold`
  const { id: holdId } = await succeed(
    harness,
    path,
    { user_id: await makeUser(), reason: 'A dispute' },
    { 'x-management-key': harness.managementKey },
  )
  return {
    exportId,
    linkSecret: new URL(link.url).pathname.split('/').at(-1) ?? '',
    erasureId,
    freeUserId: await makeUser(),
    holdId,
  }
}

/** A completed export, which without its file can be read and deleted, but not downloaded. */
async function makeExport(harness: Harness, userId: string, hasFile: boolean): Promise<string> {
  const { id } = await succeed(harness, `/v2/user/${userId}/export`, { format: 'csv' })
  const { pool } = harness.database
  const { rows } = await pool.query(
    `update person_exports set status = $2, completed_at = created_at where id = $1
    returning environment_id`,
    [id, hasFile ? 'queued' : 'completed'],
  )
  if (!hasFile) return id
  const job = { environmentId: rows[0].environment_id, exportId: id }
  const { export_person: run } = harness.dependencies.importJobs.handlers
  await run?.(job, new AbortController().signal, { isLast: true })
  return id
}

async function succeed(
  { call }: Harness,
  url: string,
  body: object | undefined,
  headers: object = {},
) {
  const answer = await call('POST', url, body, headers)
  if (answer.status !== 200) throw new Error(`${url}: ${answer.text}`)
  return answer.body
}
