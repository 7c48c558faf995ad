import { unpackBody } from '@salus/kernel/events/event-body'
import type { Harness } from './harness.ts'

export interface StoredEvent {
  id: string
  event_type: string
  unsent_reason: string | null
  body_bytes: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  payload: any
}

/** Events of a person in order of writing, whatever became of them. */
export async function storedEvents(
  { database }: Pick<Harness, 'database'>,
  userId: string,
  typePattern: RegExp = /./,
): Promise<StoredEvent[]> {
  const { rows } = await database.pool.query(
    `select id, event_type, unsent_reason, body, body_bytes from events
    where user_id = $1 order by sequence`,
    [userId],
  )
  return rows
    .filter(({ event_type: type }) => typePattern.test(type))
    .map(({ body, ...event }) => ({ ...event, payload: JSON.parse(unpackBody(body).toString()) }))
}

/** Changes settings of the first team's sandbox, as the management API does. */
export async function changeSettings(harness: Harness, sandbox: object): Promise<void> {
  const { organizationId, teamId, managementKey } = harness
  const url = `/v1/org/${organizationId}/team/${teamId}`
  const headers = { 'x-management-key': managementKey }
  const answer = await harness.call('PATCH', url, { sandbox }, headers)
  if (answer.status !== 200) throw new Error(answer.text)
}
