import { endTasks, openTask } from '@salus/accounts/tasks'
import { enterEnvironment } from '@salus/accounts/teams'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import type { Scope, Stores } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import type { ConnectionParts } from '../connection-parts.ts'
import { listConnections } from '../connections.global.repository.ts'
import { lockConnection, updateConnection } from '../connections.repository.ts'
import type { LabConnection } from '../connections.schema.ts'
import { showConnections } from '../show-connections.service.ts'
import { connectionAlert } from './connection-alerts.events.ts'

/**
 * Emits an event for each alert of a connection that began or ended since the last run, and opens
 * or ends the task of the connection. Processes
 * may run it at the same time: the connection is locked, so each change is emitted once.
 */
export async function watchConnections(
  stores: Stores,
  parts: Pick<ConnectionParts, 'secrets'>,
): Promise<void> {
  const rows = await listConnections(stores.db)
  for (const environmentId of new Set(rows.map(({ environment_id: id }) => id))) {
    const scope = await enterEnvironment(stores, environmentId)
    if (scope === undefined) continue
    for (const connection of await showConnections(scope, parts)) {
      await publishChanges(scope, connection)
    }
  }
}

async function publishChanges(scope: Scope, { id, name, lab, alerts }: LabConnection) {
  await scope.transaction(async (tx) => {
    const row = await lockConnection(tx, id)
    if (row === undefined || row.deleted_at !== null) return
    const began = alerts.filter((alert) => !row.alerts.includes(alert))
    const ended = row.alerts.filter((alert) => !alerts.some((now) => now === alert))
    if (began.length + ended.length === 0) return
    await updateConnection(tx, id, { alerts })
    const noticedAt = formatInstant(tx.clock.now())
    const toEvent = (alert: string, state: 'began' | 'ended') => {
      const data = {
        connection: name,
        lab,
        alert: alert as LabConnection['alerts'][number],
        state,
        noticed_at: noticedAt,
      }
      return newEvent({ type: connectionAlert, user: null, subjectIds: [id], data })
    }
    await writeEvents(tx, [
      ...began.map((alert) => toEvent(alert, 'began')),
      ...ended.map((alert) => toEvent(alert, 'ended')),
    ])
    const focus = { type: 'lab_connection', id } as const
    if (alerts.length === 0) await endTasks(tx, ['lab_connection'], [id], 'completed')
    else if (began.length > 0) await openTask(tx, { kind: 'lab_connection', focus, userId: null })
  })
}
