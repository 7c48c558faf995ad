import { findEnvironment } from '../../accounts/teams/index.ts'
import type { Db } from '../../platform/postgres/database.ts'
import { type Environment, environmentNow } from '../../platform/scope.ts'
import { dateAtOffset, formatInstant } from '../../platform/time/instants.ts'
import { delaySecondsFor } from '../gateways/index.ts'
import type { InboxContext } from '../inbox/index.ts'
import { lockOrder, type OrderRow, orderFacts } from '../orders/index.ts'
import { planPath } from './plan-path.ts'
import { runDueStep } from './run-step.service.ts'
import type { SandboxStep } from './sandbox.tables.ts'
import * as repository from './sandbox-steps.repository.ts'
import { requireSandbox } from './simulate-order.service.ts'

/** Orders that are planned in one go. */
const PLANNED_AT_ONCE = 200

export interface SandboxContext extends InboxContext {
  /** Orders of sandboxes go on by themselves, at believable times. */
  autoProgress: boolean
  /** Call it after the time of an environment was moved. */
  forgetCredentials: () => void
}

export interface SandboxClock {
  now: string
  offset_seconds: number
}

/** @throws AppError 403 `sandbox_only` */
export function readSandboxClock(context: SandboxContext, environment: Environment): SandboxClock {
  requireSandbox(environment)
  const now = formatInstant(environmentNow({ clock: context.clock, environment }))
  return { now, offset_seconds: environment.clockOffsetSeconds }
}

/**
 * Moves the time of a sandbox forward and lets happen whatever falls into it, each at its own time.
 * @throws AppError 403 `sandbox_only`
 */
export async function advanceSandbox(
  context: SandboxContext,
  environment: Environment,
  seconds: number,
): Promise<SandboxClock & { steps: number }> {
  requireSandbox(environment)
  const { db } = context
  const { id: environmentId } = environment
  const offset = await repository.advanceEnvironment(db, environmentId, seconds)
  context.forgetCredentials()
  const moved = { ...environment, clockOffsetSeconds: offset }
  const steps = await runSandbox(context, moved)
  return { ...readSandboxClock(context, moved), steps }
}

/** Plans what is not planned yet, then lets happen what is due, until nothing is. */
export async function runSandbox(
  context: SandboxContext,
  environment: Environment,
): Promise<number> {
  const until = environmentNow({ clock: context.clock, environment })
  let steps = 0
  for (let isDone = false; !isDone; ) {
    const planned = context.autoProgress ? await planOrders(context, environment, until) : 0
    let ran = 0
    while (await runDueStep(context, environment.id, { until })) ran += 1
    steps += ran
    isDone = planned === 0 || ran === 0
  }
  return steps
}

/** All sandboxes in which something is due, or anything may be where orders go on by themselves. */
export async function runSandboxes(context: SandboxContext, signal: AbortSignal): Promise<void> {
  const { db, clock, autoProgress } = context
  const ids = autoProgress
    ? await repository.listSandboxes(db)
    : await repository.listEnvironmentsWithDueSteps(db, clock.now())
  for (const id of ids) {
    if (signal.aborted) return
    const environment = await findEnvironment(db, id)
    if (environment !== undefined) await runSandbox(context, environment)
  }
}

async function planOrders(
  context: SandboxContext,
  environment: Environment,
  now: Date,
): Promise<number> {
  const { db } = context
  const { id: environmentId } = environment
  const today = dateAtOffset(now.getTime(), 0)
  const ids = await repository.listUnplannedOrders(db, environmentId, today, PLANNED_AT_ONCE)
  let planned = 0
  for (const id of ids) {
    planned += await db.transaction().execute(async (transaction) => {
      const row = await lockOrder(transaction, environmentId, id)
      return row === undefined ? 0 : planOrder(transaction, row)
    })
  }
  return planned
}

const AS_USUAL: SandboxStep['results'] = {
  interpretation: 'normal',
  resultTypes: null,
  hasMissingResults: false,
  missingKind: null,
}

/** Plans the usual life of an order from where it is. Returns 1, or 0 when there is no way on. */
async function planOrder(transaction: Db, row: OrderRow): Promise<number> {
  const facts = await orderFacts(transaction, row)
  const path = planPath(facts, 'completed') ?? planPath(facts, 'with_customer')
  if (path === undefined) return 0
  let from = row.last_status
  let dueAt = row.last_status_at
  const steps = path.map((to) => {
    const seconds = delaySecondsFor({ from, to, method: row.method }, row.id)
    dueAt = new Date(dueAt.getTime() + seconds * 1000)
    from = to
    return { dueAt, step: { to, detail: null, results: AS_USUAL } }
  })
  await repository.replaceSteps(transaction, row.environment_id, row.id, steps)
  return 1
}
