import type { Interpretation, ResultType } from '@salus/contracts/lab-gateway'
import {
  allowedStatuses,
  type LowLevelStatus,
  MACHINES,
  type OrderFacts,
  orderStatus,
  type StatusDetail,
} from '@salus/contracts/order-lifecycle'
import { badRequest, forbidden, notFoundCode } from '@salus/kernel/errors'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import {
  type Environment,
  environmentNow,
  type Scope,
  type TransactionScope,
} from '@salus/kernel/scope'
import { findActiveAppointment } from '../appointments/index.ts'
import type { Inbox } from '../inbox/index.ts'
import { getOrderRow, lockOrder, type OrderRow, orderFacts } from '../orders/index.ts'
import { mayRedraw } from '../results/index.ts'
import { type PlannedOrder, planPath } from './plan-path.ts'
import { runDueStep } from './run-step.service.ts'
import type { ResultWish } from './sandbox.tables.ts'
import { replaceSteps } from './sandbox-steps.repository.ts'

export interface SandboxStepsJob {
  environmentId: string
  orderId: string
}

export const RUN_SANDBOX_STEPS = defineJob<SandboxStepsJob>('run_sandbox_steps')

/** How an order shall go on (docs/contract/11-orders.md#post-v3orderorder_idtest). */
export interface Simulation {
  /** A dotted status; null is the end of a life that went well. */
  finalStatus: string | null
  delaySeconds: number
  interpretation: Interpretation
  resultTypes: ResultType[] | null
  hasMissingResults: boolean
  statusDetail: StatusDetail | null
}

/** @throws AppError 403 `sandbox_only` */
export function requireSandbox(environment: Environment): void {
  if (environment.kind === 'sandbox') return
  throw forbidden('sandbox_only', 'This is for the sandbox only.')
}

/**
 * Plans the way of an order to a status and takes the first step; the others follow in the
 * background.
 * @throws AppError 404; 403 `sandbox_only`; 400 `final_status_unreachable`
 */
export async function simulateOrder(
  scope: Scope,
  inbox: Inbox,
  orderId: string,
  simulation: Simulation,
): Promise<{ status: string; message: string }> {
  const row = await getOrderRow(scope, orderId)
  requireSandbox(scope.environment)
  const now = environmentNow(scope)
  const count = await scope.transaction(async (tx) => {
    const locked = await lockOrder(tx, row.id)
    if (locked === undefined) throw notFoundCode('order_not_found')
    return plan(tx, locked, simulation, now)
  })
  await runDueStep(scope, inbox, { until: now, orderId: row.id })
  return {
    status: 'success',
    message: `The order takes ${count} ${count === 1 ? 'step' : 'steps'}.`,
  }
}

/**
 * Where an order of a sandbox can be led from where it is, and by which statuses.
 * @throws AppError 404; 403 `sandbox_only`
 */
export async function listTargets(scope: Scope, orderId: string) {
  const row = await getOrderRow(scope, orderId)
  requireSandbox(scope.environment)
  const facts = await planningFacts(scope, row)
  const isAbleToRedraw = await mayRedraw(scope, row)
  const known = Object.keys(MACHINES[row.method].groups) as LowLevelStatus[]
  const targets = known
    .filter((target) => target !== 'redraw_available' || isAbleToRedraw)
    .map((target) => ({ target, path: planPath(facts, target) ?? [] }))
    .filter(({ path }) => path.length > 0)
  return {
    final_statuses: targets.map(({ target, path }) => ({
      status: orderStatus(row.method, target),
      low_level_status: target,
      path,
    })),
  }
}

async function planningFacts(scope: Scope, row: OrderRow): Promise<PlannedOrder> {
  const appointment = await findActiveAppointment(scope, row.id)
  return { ...(await orderFacts(scope, row)), hasAppointment: appointment !== undefined }
}

async function plan(
  tx: TransactionScope,
  row: OrderRow,
  simulation: Simulation,
  now: Date,
): Promise<number> {
  const facts = await planningFacts(tx, row)
  const target = await readTarget(tx, row, simulation)
  const path = planPath(facts, target) ?? planUntilRegistration(facts, target)
  if (path === undefined) throw unreachable(facts)
  const results = wishOf(simulation, target)
  const steps = path.map((to, index) => ({
    dueAt: new Date(now.getTime() + index * simulation.delaySeconds * 1000),
    step: {
      to,
      detail: to === target ? simulation.statusDetail : null,
      results,
      isMove: to === 'appointment_scheduled' && to === row.last_status,
    },
  }))
  await replaceSteps(tx, row.id, steps)
  const payload = { environmentId: row.environment_id, orderId: row.id }
  for (const { dueAt } of steps.slice(1)) {
    // The queue goes by the clock of the process, which the sandbox's runs ahead of.
    const runAt = new Date(dueAt.getTime() - tx.environment.clockOffsetSeconds * 1000)
    const queue = `sandbox:${row.id}`
    await addJob(tx.db, RUN_SANDBOX_STEPS, payload, { runAt, queue })
  }
  return steps.length
}

/** A kit whose patient is not known goes no further than to whoever will register it. */
function planUntilRegistration(
  facts: PlannedOrder,
  target: LowLevelStatus,
): LowLevelStatus[] | undefined {
  const isWaiting = facts.isUnregisteredKit && !facts.isRegistered
  if (!isWaiting || facts.status === 'with_customer') return undefined
  return MACHINES.testkit.successPath.includes(target)
    ? planPath(facts, 'with_customer')
    : undefined
}

function wishOf(simulation: Simulation, target: LowLevelStatus): ResultWish {
  const { interpretation, resultTypes, hasMissingResults } = simulation
  const isRedraw = target === 'redraw_available'
  return {
    interpretation,
    resultTypes,
    hasMissingResults: hasMissingResults || isRedraw,
    missingKind: isRedraw ? 'quantity_not_sufficient_failure' : null,
  }
}

/** @throws AppError 400 for a status of another method, and for a redraw that the team has not */
async function readTarget(
  tx: TransactionScope,
  row: OrderRow,
  { finalStatus }: Simulation,
): Promise<LowLevelStatus> {
  if (finalStatus === null) return 'completed'
  const known = Object.keys(MACHINES[row.method].groups) as LowLevelStatus[]
  const target = known.find((status) => orderStatus(row.method, status) === finalStatus)
  const facts = await orderFacts(tx, row)
  if (target === undefined) throw unreachable(facts)
  if (target === 'redraw_available' && !(await mayRedraw(tx, row))) throw unreachable(facts)
  return target
}

function unreachable(facts: OrderFacts) {
  const message = 'Nothing leads from the present status of the order to that one.'
  const next = allowedStatuses(facts).map((status) => orderStatus(facts.method, status))
  return badRequest('final_status_unreachable', message, {
    from: orderStatus(facts.method, facts.status),
    allowed: next,
  })
}
