import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import { Gauge, type Registry } from 'prom-client'
import { countFailedByGateway } from '../../inbox/index.ts'
import { listConnections } from '../connections.global.repository.ts'
import { summarizeAllOutgoing } from '../outgoing-messages.global.repository.ts'
import { gatewayNameOf } from '../to-connection.ts'

/**
 * Registers the metrics of laboratory connections, read from the database when they are scraped.
 * Without the database they are left out, and the others still work.
 */
export function registerLabConnectionMetrics(
  registry: Registry,
  stores: { db: Db; clock: Clock },
): void {
  let running: Promise<Measured[] | undefined> | undefined
  // All gauges of one scrape share a measurement.
  const measured = () => {
    running ??= measure(stores)
      .catch(() => undefined)
      .finally(() => {
        running = undefined
      })
    return running
  }
  const connections: Gauge = new Gauge({
    name: 'salus_lab_connections',
    help: 'Enabled connections to laboratories.',
    registers: [registry],
    async collect() {
      const found = await measured()
      if (found === undefined) connections.remove()
      else connections.set(found.length)
    },
  })
  for (const [name, help, pick] of BY_CONNECTION) {
    const gauge: Gauge = new Gauge({
      name: `salus_lab_connection_${name}`,
      help,
      labelNames: ['connection', 'environment_id'],
      registers: [registry],
      async collect() {
        const found = await measured()
        gauge.reset()
        for (const one of found ?? []) {
          const value = pick(one)
          if (value !== null) gauge.set(one.labels, value)
        }
      },
    })
  }
}

interface Measured {
  labels: { connection: string; environment_id: string }
  waiting: number
  /** Seconds; null without one. */
  oldest: number | null
  /** Seconds; null before the first message. */
  received: number | null
  failed: number
}

const BY_CONNECTION: readonly [name: string, help: string, (one: Measured) => number | null][] = [
  ['waiting', 'Messages that wait for an answer of the laboratory.', (one) => one.waiting],
  ['oldest_waiting_age_seconds', 'Age of the oldest message that waits.', (one) => one.oldest],
  ['last_received_age_seconds', 'Time since a message was received.', (one) => one.received],
  ['failed', 'Received messages that failed, and messages that were refused.', (one) => one.failed],
]

async function measure({ db, clock }: { db: Db; clock: Clock }): Promise<Measured[]> {
  const [rows, outgoing, failures] = await Promise.all([
    listConnections(db),
    summarizeAllOutgoing(db),
    countFailedByGateway(db),
  ])
  const now = clock.now().getTime()
  const ageOf = (at: Date | null | undefined) => (at ? (now - at.getTime()) / 1000 : null)
  return rows
    .filter(({ is_enabled: isEnabled }) => isEnabled)
    .map((row) => {
      const queue = outgoing.find(({ connection_id: id }) => id === row.id)
      const gateway = gatewayNameOf(row)
      const failed = failures.find(
        (each) => each.environment_id === row.environment_id && each.gateway === gateway,
      )
      return {
        labels: { connection: row.name, environment_id: row.environment_id },
        waiting: Number(queue?.waiting ?? 0),
        oldest: ageOf(queue?.oldest_waiting_at),
        received: ageOf(row.last_received_at),
        failed: Number(failed?.total ?? 0) + Number(queue?.refused ?? 0),
      }
    })
}
