import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import { Gauge, type Registry } from 'prom-client'
import { countFailedByGateway } from '../../inbox/index.ts'
import { listConnections } from '../connections.global.repository.ts'
import { summarizeAllOutgoing } from '../outgoing-messages.global.repository.ts'
import { gatewayNameOf } from '../to-connection.ts'

/**
 * Registers the metrics of laboratory connections, read from the database when they are scraped.
 * Without the database they are left out, and the others still work. They have the laboratory and
 * no name of a connection, because metrics show nothing of a team.
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
  for (const [name, help, pick] of BY_LAB) {
    const gauge: Gauge = new Gauge({
      name: `salus_lab_connection_${name}`,
      help,
      labelNames: ['lab'],
      registers: [registry],
      async collect() {
        const found = await measured()
        gauge.reset()
        for (const [lab, of] of Map.groupBy(found ?? [], (one) => one.lab)) {
          const values = of.map(pick).filter((value) => value !== null)
          const isAge = name.endsWith('_seconds')
          if (values.length === 0) continue
          gauge.set({ lab }, isAge ? Math.max(...values) : values.reduce((a, b) => a + b))
        }
      },
    })
  }
}

interface Measured {
  /** Slug of the laboratory. */
  lab: string
  waiting: number
  /** Seconds; null without one. */
  oldest: number | null
  /** Seconds; null before the first message. */
  received: number | null
  failed: number
}

/** The connections to a laboratory together: sums of messages, and the highest age. */
const BY_LAB: readonly [name: string, help: string, (one: Measured) => number | null][] = [
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
        lab: row.lab_slug,
        waiting: Number(queue?.waiting ?? 0),
        oldest: ageOf(queue?.oldest_waiting_at),
        received: ageOf(row.last_received_at),
        failed: Number(failed?.total ?? 0) + Number(queue?.refused ?? 0),
      }
    })
}
