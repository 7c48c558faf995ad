import type { LabSimulator } from '@salus/contracts/lab-gateway'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { type AppointmentRow, findActiveAppointment } from '../appointments/index.ts'
import { lockOrder, type OrderRow, orderFacts } from '../orders/index.ts'
import { planPath } from './plan-path.ts'
import type { SandboxStep } from './sandbox.tables.ts'
import * as repository from './sandbox-steps.repository.ts'

/** Most orders that are planned in one run. */
const PLANNED_AT_ONCE = 200

/** Plans the steps of orders in a sandbox with automatic progress. */
export interface Planning {
  /** Plans orders that wait for external updates. Returns their number. */
  planOrders(now: Date): Promise<number>
  /** Plans orders again whose appointment got a time or a different one. */
  timeByAppointments(): Promise<void>
}

type Plan = { dueAt: Date; step: SandboxStep }[]

export function createPlanning(scope: Scope, simulator: LabSimulator): Planning {
  /** Appointments whose planning had no effect, which are skipped until the next run. */
  const timed = new Set<string>()
  const plan = (orderId: string): Promise<number> =>
    scope.transaction(async (tx) => {
      const row = await lockOrder(tx, orderId)
      return row === undefined ? 0 : planOrder(simulator, tx, row)
    })
  return {
    async planOrders(now) {
      const today = dateAtOffset(now.getTime(), 0)
      let planned = 0
      for (const id of await repository.listUnplannedOrders(scope, today, PLANNED_AT_ONCE)) {
        planned += await plan(id)
      }
      return planned
    },
    async timeByAppointments() {
      for (const { orderId, appointmentEnd } of await repository.listUntimedOrders(scope)) {
        const key = `${orderId} ${appointmentEnd?.toISOString()}`
        if (timed.has(key)) continue
        timed.add(key)
        await plan(orderId)
      }
    },
  }
}

const AS_USUAL: SandboxStep['results'] = {
  interpretation: 'normal',
  resultTypes: null,
  hasMissingResults: false,
  missingKind: null,
}

/**
 * Plans the usual path of an order from its current status. Returns 1, or 0 when there is no path.
 */
async function planOrder(
  simulator: LabSimulator,
  tx: TransactionScope,
  row: OrderRow,
): Promise<number> {
  const appointment = await findActiveAppointment(tx, row.id)
  const facts = { ...(await orderFacts(tx, row)), hasAppointment: appointment !== undefined }
  const path = planPath(facts, 'completed') ?? planPath(facts, 'with_customer')
  if (path === undefined) return 0
  const isVisited = row.last_status === 'appointment_scheduled'
  const visit = isVisited && appointment ? planVisit(row, appointment) : undefined
  let { from, dueAt } = visit ?? { from: row.last_status, dueAt: row.last_status_at }
  const steps = path.map((to) => {
    const seconds = to === from ? 0 : simulator.delaySeconds({ from, to }, row.id)
    dueAt = new Date(dueAt.getTime() + seconds * 1000)
    from = to
    return { dueAt, to }
  })
  const plan: Plan = [...(visit?.steps ?? []), ...steps].map(({ dueAt, to }) => {
    const appointmentEnd = visit?.appointmentEnd ?? null
    return { dueAt, step: { to, detail: null, results: AS_USUAL, appointmentEnd } }
  })
  await repository.replaceSteps(tx, row.id, plan)
  return 1
}

/**
 * Plans the steps after the end of an appointment as after a collection. For a visit, the
 * phlebotomist is on the way at its start.
 */
function planVisit(row: OrderRow, { status, start_at, end_at }: AppointmentRow) {
  if (start_at === null || end_at === null) return undefined
  const notBefore = (at: Date): Date => (at < row.last_status_at ? row.last_status_at : at)
  const isComing = row.method === 'at_home_phlebotomy' && status === 'confirmed'
  const begin = { to: 'appointment_in_progress' as const, dueAt: notBefore(start_at) }
  return {
    from: 'draw_completed' as const,
    dueAt: notBefore(end_at),
    appointmentEnd: end_at.toISOString(),
    steps: isComing ? [begin] : [],
  }
}
