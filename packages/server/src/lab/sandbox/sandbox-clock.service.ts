import { enterEnvironment } from '../../accounts/teams/index.ts'
import {
  createScope,
  environmentNow,
  type Scope,
  type Stores,
  type TransactionScope,
} from '../../platform/scope.ts'
import { dateAtOffset, formatInstant } from '../../platform/time/instants.ts'
import { type BookingParts, runDueAppointments } from '../booking/index.ts'
import type { LabSimulator } from '../gateways/index.ts'
import type { Inbox } from '../inbox/index.ts'
import { lockOrder, type OrderRow, orderFacts } from '../orders/index.ts'
import { planPath } from './plan-path.ts'
import { runDueStep } from './run-step.service.ts'
import type { SandboxStep } from './sandbox.tables.ts'
import * as repository from './sandbox-steps.repository.ts'
import { listEnvironmentsWithSomethingDue, listSandboxes } from './sandboxes.global.repository.ts'
import { requireSandbox } from './simulate-order.service.ts'
import { sendAnswer } from './slots/provider-answers.service.ts'
import { findDueAnswer } from './slots/sandbox-slots.repository.ts'

/** Orders that are planned in one go. */
const PLANNED_AT_ONCE = 200

/** What sandboxes go on with. */
export interface SandboxParts extends Inbox, Pick<BookingParts, 'scheduling'> {
  /** Orders of sandboxes go on by themselves, at believable times. */
  autoProgress: boolean
  /** Call it after the clock of an environment was advanced. */
  forgetCredentials: () => void
}

export interface SandboxClock {
  now: string
  offset_seconds: number
}

/** @throws AppError 403 `sandbox_only` */
export function readSandboxClock(scope: Scope): SandboxClock {
  requireSandbox(scope.environment)
  const now = formatInstant(environmentNow(scope))
  return { now, offset_seconds: scope.environment.clockOffsetSeconds }
}

/**
 * Advances the clock of a sandbox and lets happen whatever falls into it, each at its own time.
 * @throws AppError 403 `sandbox_only`
 */
export async function advanceSandbox(
  scope: Scope,
  parts: SandboxParts,
  seconds: number,
): Promise<SandboxClock & { steps: number }> {
  requireSandbox(scope.environment)
  const clockOffsetSeconds = await repository.advanceEnvironment(scope, seconds)
  parts.forgetCredentials()
  const advanced = createScope(scope, { ...scope.environment, clockOffsetSeconds })
  const steps = await runSandbox(advanced, parts)
  return { ...readSandboxClock(advanced), steps }
}

/** Plans what is not planned yet, then lets happen what is due, until nothing is. */
export async function runSandbox(scope: Scope, parts: SandboxParts): Promise<number> {
  const until = environmentNow(scope)
  let steps = 0
  for (let isDone = false; !isDone; ) {
    const planned = parts.autoProgress
      ? await planOrders(parts.gateways.simulator, scope, until)
      : 0
    const ran = await runInOrder(scope, parts, until)
    steps += ran
    isDone = planned === 0 || ran === 0
  }
  return steps
}

/**
 * Steps of orders, what is due for appointments and what their providers say later, the earlier always before
 * the later.
 */
async function runInOrder(scope: Scope, parts: SandboxParts, until: Date): Promise<number> {
  let ran = 0
  for (;;) {
    const stepAt = await repository.findDueStepTime(scope, until)
    const next = await findDueAnswer(scope, stepAt ?? until)
    await runDueAppointments(scope, parts, { until: next?.at ?? stepAt ?? until })
    // A provider that was asked may have more to say.
    const answer = await findDueAnswer(scope, stepAt ?? until)
    if (answer !== undefined) await sendAnswer(scope, parts, answer)
    else if (stepAt === undefined || !(await runDueStep(scope, parts, { until }))) return ran
    ran += 1
  }
}

/** All sandboxes in which something is due, or anything may be where orders go on by themselves. */
export async function runSandboxes(
  stores: Stores,
  parts: SandboxParts,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = stores
  const ids = parts.autoProgress
    ? await listSandboxes(db)
    : await listEnvironmentsWithSomethingDue(db, clock.now())
  for (const id of ids) {
    if (signal.aborted) return
    const scope = await enterEnvironment(stores, id)
    if (scope !== undefined) await runSandbox(scope, parts)
  }
}

async function planOrders(simulator: LabSimulator, scope: Scope, now: Date): Promise<number> {
  const today = dateAtOffset(now.getTime(), 0)
  const ids = await repository.listUnplannedOrders(scope, today, PLANNED_AT_ONCE)
  let planned = 0
  for (const id of ids) {
    planned += await scope.transaction(async (tx) => {
      const row = await lockOrder(tx, id)
      return row === undefined ? 0 : planOrder(simulator, tx, row)
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
async function planOrder(
  simulator: LabSimulator,
  tx: TransactionScope,
  row: OrderRow,
): Promise<number> {
  const facts = await orderFacts(tx, row)
  const path = planPath(facts, 'completed') ?? planPath(facts, 'with_customer')
  if (path === undefined) return 0
  let from = row.last_status
  let dueAt = row.last_status_at
  const steps = path.map((to) => {
    const seconds = simulator.delaySeconds({ from, to }, row.id)
    dueAt = new Date(dueAt.getTime() + seconds * 1000)
    from = to
    return { dueAt, step: { to, detail: null, results: AS_USUAL } }
  })
  await repository.replaceSteps(tx, row.id, steps)
  return 1
}
