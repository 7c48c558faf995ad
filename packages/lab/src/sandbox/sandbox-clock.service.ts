import { escalateTasks } from '@salus/accounts/tasks'
import { advanceEnvironment, enterEnvironment } from '@salus/accounts/teams'
import { createScope, environmentNow, type Scope, type Stores } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { type BookingParts, runDueAppointments } from '../booking/index.ts'
import type { Inbox } from '../inbox/index.ts'
import { RESULT_TASK_EVENTS } from '../results/index.ts'
import { createPlanning, type Planning } from './plan-orders.service.ts'
import { runDueStep } from './run-step.service.ts'
import * as repository from './sandbox-steps.repository.ts'
import { listSandboxes, listSandboxesWithDueSteps } from './sandboxes.global.repository.ts'
import { requireSandbox } from './simulate-order.service.ts'
import { sendProviderAnswer } from './slots/provider-answers.service.ts'
import { findDueAnswer } from './slots/sandbox-slots.repository.ts'

/** Dependencies of sandboxes. */
export interface SandboxParts extends Inbox, Pick<BookingParts, 'scheduling'> {
  /** Whether orders of sandboxes progress automatically at realistic times. */
  autoProgress: boolean
  /** Clears cached credentials; called after the clock of an environment was advanced. */
  forgetCredentials: () => void
}

export interface SandboxClock {
  now: string
  offset_seconds: number
}

/** Returns the clock of a sandbox. @throws AppError 403 `sandbox_only` */
export function readSandboxClock(scope: Scope): SandboxClock {
  requireSandbox(scope.environment)
  const now = formatInstant(environmentNow(scope))
  return { now, offset_seconds: scope.environment.clockOffsetSeconds }
}

/**
 * Advances the clock of a sandbox and runs all steps that become due, each at its own time.
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
  await escalateTasks(advanced, RESULT_TASK_EVENTS)
  return { ...readSandboxClock(advanced), steps }
}

/** Plans unplanned orders, and runs steps until none is due. */
export async function runSandbox(scope: Scope, parts: SandboxParts): Promise<number> {
  const until = environmentNow(scope)
  const planning = parts.autoProgress ? createPlanning(scope, parts.gateways.simulator) : undefined
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
 * Runs steps of orders, timed changes of appointments and later answers of providers in the order
 * of their times.
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
    // A provider that was called may send a later answer.
    const answer = await findDueAnswer(scope, stepAt ?? until)
    if (answer !== undefined) await sendProviderAnswer(scope, parts, answer)
    else if (stepAt === undefined || !(await runDueStep(scope, parts, { until }))) return ran
    ran += 1
  }
}

/**
 * Runs all sandboxes in which a step is due, or all sandboxes when orders progress automatically.
 */
export async function runSandboxes(
  stores: Stores,
  parts: SandboxParts,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = stores
  const ids = parts.autoProgress
    ? await listSandboxes(db)
    : await listSandboxesWithDueSteps(db, clock.now())
  for (const id of ids) {
    if (signal.aborted) return
    const scope = await enterEnvironment(stores, id)
    if (scope !== undefined) await runSandbox(scope, parts)
  }
}
