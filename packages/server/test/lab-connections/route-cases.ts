import type { LabConnectionConfig } from '@salus/contracts/lab-gateway'
import type { Harness } from '../harness.ts'
import type { RouteCase } from '../route-cases.ts'
import type { Subject } from '../subject.ts'

const MANAGED = '/v1/org/{org_id}/team/{team_id}/{env}'
const CONNECTION = `${MANAGED}/lab_connection/{connection}`
const theirs = { stranger: 'not found' } as const
const fresh = { subject: 'fresh' } as const
const ofConnection = {
  ...theirs,
  params: ({ connectionName }: Subject) => ({ connection: connectionName }),
}

/** Requests about connections to laboratories. */
export const CONNECTION_CASES: readonly RouteCase[] = [
  { method: 'GET', path: `${MANAGED}/lab_connection`, ...theirs },
  { method: 'GET', path: CONNECTION, ...ofConnection },
  {
    method: 'PUT',
    path: CONNECTION,
    ...ofConnection,
    ...fresh,
    body: ({ connectionName }) => ({ config: configOf(connectionName) }),
  },
  { method: 'POST', path: `${CONNECTION}/hold`, ...ofConnection, ...fresh },
  { method: 'POST', path: `${CONNECTION}/release`, ...ofConnection, ...fresh },
  { method: 'POST', path: `${CONNECTION}/check`, ...ofConnection },
  { method: 'POST', path: `${CONNECTION}/rehearse`, ...ofConnection, body: () => ({}) },
  { method: 'GET', path: `${CONNECTION}/message`, ...ofConnection },
  {
    method: 'GET',
    path: `${CONNECTION}/message/{message_id}`,
    ...theirs,
    params: ({ connectionName, outgoingMessageId }: Subject) => ({
      connection: connectionName,
      message_id: outgoingMessageId,
    }),
  },
  {
    method: 'POST',
    path: `${CONNECTION}/message/{message_id}/resend`,
    ...theirs,
    ...fresh,
    params: ({ sendingConnectionName, sentMessageId }: Subject) => ({
      connection: sendingConnectionName,
      message_id: sentMessageId,
    }),
  },
  { method: 'GET', path: `${CONNECTION}/received`, ...ofConnection },
  {
    method: 'GET',
    path: `${CONNECTION}/received/{message_id}`,
    ...theirs,
    params: ({ connectionName, receivedMessageId }: Subject) => ({
      connection: connectionName,
      message_id: receivedMessageId,
    }),
  },
  { method: 'DELETE', path: CONNECTION, ...ofConnection, ...fresh },
]

/** A connection that is not enabled, so that the orders of other cases are simulated. */
function configOf(connection: string): LabConnectionConfig {
  return {
    connection,
    lab: 'quest',
    profile: 'hl7-2.3-legacy',
    time_zone: 'America/New_York',
    enabled: false,
    orders: { kind: 'folder', dir: '/nonexistent' },
  }
}

export interface ConnectionSubject {
  /** A connection of the managed team. */
  connectionName: string
  /** A message that it sent. */
  outgoingMessageId: string
  /** An enabled connection, to a laboratory of which no case orders. */
  sendingConnectionName: string
  sentMessageId: string
  /** A message that the connection that is not enabled received. */
  receivedMessageId: string
}

let nextNumber = 0

/** Makes a connection of a team, with a message about one of its orders. */
export async function makeConnectionSubject(
  { call, database, organizationId, managementKey }: Harness,
  teamId: string,
  orderId: string,
): Promise<ConnectionSubject> {
  nextNumber += 1
  const connectionName = `connection-${nextNumber}`
  const store = async (name: string, changes: Partial<LabConnectionConfig> = {}) => {
    const path = `/v1/org/${organizationId}/team/${teamId}/sandbox/lab_connection/${name}`
    const headers = { 'x-management-key': managementKey }
    const stored = await call('PUT', path, { config: { ...configOf(name), ...changes } }, headers)
    if (stored.status !== 200) throw new Error(stored.text)
    const { id } = stored.body.connection
    const { rows } = await database.pool.query(
      `insert into lab_outgoing_messages (environment_id, id, connection_id, order_id, purpose,
      control_id, placer, content, state, created_at)
    select environment_id, gen_random_uuid(), id, $2, 'order', 'M1', 'SA1', 'MSH', 'waiting', now()
    from lab_connections where id = $1 returning id`,
      [id, orderId],
    )
    return { id, messageId: rows[0].id as string }
  }
  const { id, messageId } = await store(connectionName)
  const sendingConnectionName = `sending-${nextNumber}`
  const sending = await store(sendingConnectionName, { lab: 'sonora_quest', enabled: true })
  const received = await database.pool.query(
    `insert into lab_messages (id, gateway, environment_id, content_type, content, state, received_at)
    select gen_random_uuid(), 'hl7:' || name, environment_id, 'x-application/hl7-v2+er7',
      'MSH', 'ignored', now()
    from lab_connections where id = $1 returning id`,
    [id],
  )
  return {
    connectionName,
    outgoingMessageId: messageId,
    sendingConnectionName,
    sentMessageId: sending.messageId,
    receivedMessageId: received.rows[0].id,
  }
}

/** A message that its gateway could not read. */
export async function failMessage({ database }: Harness, teamId: string): Promise<string> {
  const { rows } = await database.pool.query(
    `insert into lab_messages
      (id, gateway, environment_id, content_type, content, state, problem_class, problem, received_at)
    select gen_random_uuid(), 'sandbox', id, 'text/plain', '', 'failed', 'unreadable',
      'wrong_content_type', now()
    from team_environments where team_id = $1 and environment = 'sandbox' returning id`,
    [teamId],
  )
  return rows[0].id
}
