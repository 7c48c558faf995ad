import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { countFailedByGateway } from '../inbox/index.ts'
import type { ConnectionParts } from './connection-parts.ts'
import type { ConnectionRow } from './connections.global.repository.ts'
import { listOfEnvironment } from './connections.repository.ts'
import type { LabConnection } from './connections.schema.ts'
import { type OutgoingSummary, summarizeOutgoing } from './outgoing-messages.repository.ts'
import { openSecrets } from './secrets.ts'
import { gatewayNameOf } from './to-connection.ts'

const NOTHING: Omit<OutgoingSummary, 'connection_id'> = {
  waiting: 0,
  refused: 0,
  oldest_waiting_at: null,
  last_answered_at: null,
}

/** Returns the connections of the environment with their queues and alerts. */
export async function showConnections(
  scope: Scope,
  { secrets }: Pick<ConnectionParts, 'secrets'>,
): Promise<LabConnection[]> {
  const [rows, summaries, failures] = await Promise.all([
    listOfEnvironment(scope),
    summarizeOutgoing(scope),
    countFailedByGateway(scope.db, { environmentId: scope.environment.id }),
  ])
  const now = scope.clock.now()
  return rows.map((row) => {
    const queue = summaries.find(({ connection_id: id }) => id === row.id) ?? NOTHING
    const failed = failures.find((each) => each.gateway === gatewayNameOf(row))
    const state = { queue, failed: Number(failed?.total ?? 0), now }
    return toLabConnection(row, state, Object.keys(openSecrets(secrets, row)))
  })
}

/** Returns one connection with its queue and alerts. */
export async function showConnection(
  scope: Scope,
  { secrets }: Pick<ConnectionParts, 'secrets'>,
  row: ConnectionRow,
): Promise<LabConnection> {
  const [[queue = NOTHING], [failed]] = await Promise.all([
    summarizeOutgoing(scope, row.id),
    countFailedByGateway(scope.db, {
      environmentId: scope.environment.id,
      gateway: gatewayNameOf(row),
    }),
  ])
  const state = { queue, failed: Number(failed?.total ?? 0), now: scope.clock.now() }
  return toLabConnection(row, state, Object.keys(openSecrets(secrets, row)))
}

interface ConnectionState {
  queue: Omit<OutgoingSummary, 'connection_id'>
  /** Received messages that could not be applied. */
  failed: number
  now: Date
}

function toLabConnection(
  row: ConnectionRow,
  state: ConnectionState,
  secretNames: string[],
): LabConnection {
  const { queue } = state
  const shown = (at: Date | null) => at && formatInstant(at)
  return {
    id: row.id,
    name: row.name,
    lab: row.lab_slug,
    gateway: gatewayNameOf(row),
    is_enabled: row.is_enabled,
    is_held: row.is_held,
    config: row.config,
    secrets: secretNames,
    queue: {
      waiting: Number(queue.waiting),
      oldest_waiting_at: shown(queue.oldest_waiting_at),
      refused: Number(queue.refused),
      last_answered_at: shown(queue.last_answered_at),
    },
    receiving_problem: row.receiving_problem,
    last_received_at: shown(row.last_received_at),
    alerts: alertsOf(row, state),
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NO_MESSAGE_HOURS = 36
const QUEUE_MINUTES = 60

/** Returns what needs the operator now. A disabled connection needs nothing. */
export function alertsOf(
  row: ConnectionRow,
  { queue, failed, now }: ConnectionState,
): LabConnection['alerts'] {
  if (!row.is_enabled) return []
  const { alerts = {}, results } = row.config
  const hours = alerts.no_message_for_hours ?? NO_MESSAGE_HOURS
  const silentSince = (row.last_received_at ?? row.created_at).getTime() + hours * HOUR_MS
  const minutes = alerts.queue_older_than_minutes ?? QUEUE_MINUTES
  const oldest = queue.oldest_waiting_at
  const found: [LabConnection['alerts'][number], boolean][] = [
    ['not_receiving', row.receiving_problem !== null],
    ['no_message', results !== undefined && silentSince < now.getTime()],
    ['queue_old', oldest !== null && oldest.getTime() + minutes * MINUTE_MS < now.getTime()],
    ['rejected', (alerts.rejected ?? true) && failed + Number(queue.refused) > 0],
  ]
  return found.filter(([, isNow]) => isNow).map(([alert]) => alert)
}
