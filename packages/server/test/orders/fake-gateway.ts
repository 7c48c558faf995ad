import type {
  CancellationAnswer,
  CancelledOrder,
  LabGateway,
  Placement,
  Requisition,
} from '@salus/contracts/lab-gateway'
import { type JobHelpers, runOnce } from 'graphile-worker'
import { quietLogger } from '../../../kernel/src/jobs/worker-log.ts'
import type { DispatchParts } from '../../../lab/src/orders/dispatch/dispatch-order.service.ts'
import { orderJobs } from '../../../lab/src/orders/orders.jobs.ts'
import type { OrdersFixture } from './orders-fixture.ts'

type Cancelled = Omit<CancelledOrder, 'requisition'>

/** A gateway that records its calls, and answers as the test says. */
export interface FakeGateway extends LabGateway {
  placed: Requisition[]
  cancelled: Cancelled[]
  /** What it says to the next requisitions; it may throw. */
  answer: (requisition: Requisition) => Promise<Placement>
  /** What it does when something is cancelled. */
  onCancel: () => Promise<CancellationAnswer>
}

export function createFakeGateway(): FakeGateway {
  const gateway: FakeGateway = {
    name: 'fake',
    placed: [],
    cancelled: [],
    answer: async () => ({ state: 'waiting' }),
    onCancel: async () => ({ state: 'cancelled' }),
    async place(requisition) {
      gateway.placed.push(requisition)
      return gateway.answer(requisition)
    },
    async cancel({ environmentId, orderId, sampleId }) {
      const answer = await gateway.onCancel()
      gateway.cancelled.push({ environmentId, orderId, sampleId })
      return answer
    },
    open: () => {},
    close: async () => {},
    read: () => [],
  }
  return gateway
}

/** How orders get to laboratories: one gateway for everything, or none. */
export function dispatchBy(gateway: LabGateway | undefined, timeZone = 'UTC'): DispatchParts {
  return { findGateway: async () => gateway, timeZone }
}

/** Runs the jobs about orders that can run now. Those that fail wait for seconds and stay. */
export async function runJobs({ harness }: OrdersFixture, dispatch: DispatchParts): Promise<void> {
  const { handlers } = orderJobs(harness.dependencies, dispatch)
  const taskList = Object.fromEntries(
    Object.entries(handlers).map(([task, handler]) => [
      task,
      (payload: unknown, { job }: JobHelpers) =>
        handler(payload as never, new AbortController().signal, {
          isLast: job.attempts >= job.max_attempts,
        }),
    ]),
  )
  const options = {
    pgPool: harness.database.pool,
    taskList,
    logger: quietLogger(harness.dependencies.log),
  }
  await runOnce(options)
  // The queue notes the end of the last job on its own time.
  for (let isBusy = true; isBusy; ) {
    const { rowCount } = await harness.database.pool.query(
      'select from graphile_worker._private_jobs where locked_at is not null',
    )
    isBusy = rowCount !== 0
  }
}

/** Lets failed jobs run now instead of when their pause is over. */
export async function endPauses({ harness }: OrdersFixture): Promise<void> {
  await harness.database.pool.query(
    'update graphile_worker._private_jobs set run_at = now() where attempts < max_attempts',
  )
}
