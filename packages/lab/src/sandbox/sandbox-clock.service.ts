import { advanceEnvironment, enterEnvironment } from '@salus/accounts/teams'
import { createScope, environmentNow, type Scope, type Stores } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { type BookingParts, runDueAppointments } from '../booking/index.ts'
import type { Inbox } from '../inbox/index.ts'
import { type Planning, planningOf } from './plan-orders.service.ts'
import { runDueStep } from './run-step.service.ts'
import * as repository from './sandbox-steps.repository.ts'
import { listEnvironmentsWithSomethingDue, listSandboxes } from './sandboxes.global.repository.ts'
import { requireSandbox } from './simulate-order.service.ts'
import { sendAnswer } from './slots/provider-answers.service.ts'
import { findDueAnswer } from './slots/sandbox-slots.repository.ts'

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
  const clockOffsetSeconds = await advanceEnvironment(scope, seconds)
  parts.forgetCredentials()
  const advanced = createScope(scope, { ...scope.environment, clockOffsetSeconds })
  const steps = await runSandbox(advanced, parts)
  return { ...readSandboxClock(advanced), steps }
}

/** Plans what is not planned yet, then lets happen what is due, until nothing is. */
export async function runSandbox(scope: Scope, parts: SandboxParts): Promise<number> {
  const until = environmentNow(scope)
  const planning = parts.autoProgress ? planningOf(scope, parts.gateways.simulator) : undefined
  let steps = 0
  for (let isDone = false; !isDone; ) {
    const planned = (await planning?.planOrders(until)) ?? 0
    const ran = await runInOrder(scope, parts, until, planning)
    steps += ran
    isDone = planned === 0 || ran === 0
  }
  return steps
}

/**
 * Steps of orders, what is due for appointments and what their providers say later, the earlier
 * always before the later.
 */
async function runInOrder(
  scope: Scope,
  parts: SandboxParts,
  until: Date,
  planning: Planning | undefined,
): Promise<number> {
  let ran = 0
  for (;;) {
    await planning?.timeByAppointments()
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
