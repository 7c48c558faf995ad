import { INTERPRETATIONS, RESULT_TYPES } from '@salus/contracts/lab-gateway'
import {
  LOW_LEVEL_STATUSES,
  type LowLevelStatus,
  MACHINES,
  orderStatus,
  STATUS_DETAILS,
} from '@salus/contracts/order-lifecycle'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { advanceSandbox, readSandboxClock, type SandboxParts } from './sandbox-clock.service.ts'
import { listSimulationTargets, simulateOrder } from './simulate-order.service.ts'

const tags = ['Sandbox']

type Method = keyof typeof MACHINES

/** All dotted statuses that an event can show. */
const ORDER_STATUSES = (Object.keys(MACHINES) as Method[]).flatMap((method) =>
  (Object.keys(MACHINES[method].groups) as LowLevelStatus[]).map((status) =>
    orderStatus(method, status),
  ),
)

const SimulationQuery = Type.Object({
  final_status: Type.Optional(
    Nullable(
      TextEnum(ORDER_STATUSES, {
        description: 'Status to reach; a successful completion by default.',
      }),
    ),
  ),
  delay: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 0, maximum: 3600, description: 'Delay between steps in seconds.' }),
    ),
  ),
})

const SimulationBody = Type.Object(
  {
    interpretation: Type.Optional(TextEnum(INTERPRETATIONS)),
    result_types: Type.Optional(Nullable(Type.Array(TextEnum(RESULT_TYPES)))),
    has_missing_results: Type.Optional(Nullable(Type.Boolean())),
    status_detail: Type.Optional(
      Nullable(TextEnum(STATUS_DETAILS, { description: 'Detail of the final status.' })),
    ),
  },
  { title: 'OrderSimulation' },
)

const SimulationTargets = Type.Object(
  {
    final_statuses: Type.Array(
      Type.Object({
        status: TextEnum(ORDER_STATUSES),
        low_level_status: TextEnum(LOW_LEVEL_STATUSES),
        path: Type.Array(TextEnum(LOW_LEVEL_STATUSES), {
          description: 'Statuses on the path, including this one.',
        }),
      }),
    ),
  },
  { title: 'SimulationTargets' },
)

const Clock = { now: DateTime, offset_seconds: Type.Integer() }
/** One year, which is longer than any order takes. */
const MOST_SECONDS = 366 * DAY_SECONDS

/** Registers the routes that simulate orders and advance the clock of a sandbox. */
export function registerSandboxRoutes(app: App, parts: SandboxParts): void {
  registerSimulationRoutes(app, parts)
  registerClockRoutes(app, parts)
}

function registerSimulationRoutes(app: App, parts: SandboxParts): void {
  app.post(
    '/v3/order/:order_id/test',
    {
      schema: {
        operationId: 'simulateOrder',
        tags,
        summary: 'Simulate the progress of an order',
        description: 'Advances the order step by step to the final status, or to its results.',
        params: Type.Object({ order_id: Uuid }),
        querystring: SimulationQuery,
        body: Type.Optional(Nullable(SimulationBody)),
        'x-body-example': { interpretation: 'abnormal' },
        response: { 200: Type.Object({ status: Type.String(), message: Type.String() }) },
      },
    },
    ({ scope, params, query, body }) =>
      simulateOrder(scope, parts, params.order_id, {
        finalStatus: query.final_status ?? null,
        delaySeconds: query.delay ?? 0,
        interpretation: body?.interpretation ?? 'normal',
        resultTypes: body?.result_types ?? null,
        hasMissingResults: body?.has_missing_results ?? false,
        statusDetail: body?.status_detail ?? null,
      }),
  )

  app.get(
    '/v3/order/:order_id/test',
    {
      schema: {
        operationId: 'listSimulationTargets',
        tags,
        summary: 'List the statuses that an order can be simulated to',
        description:
          'Returns the statuses that a simulation can reach from the current status of the order.',
        params: Type.Object({ order_id: Uuid }),
        response: { 200: SimulationTargets },
      },
    },
    ({ scope, params }) => listSimulationTargets(scope, params.order_id),
  )
}

function registerClockRoutes(app: App, parts: SandboxParts): void {
  app.get(
    '/v3/sandbox/clock',
    {
      schema: {
        operationId: 'getSandboxClock',
        tags,
        summary: 'Read the clock of the sandbox',
        description: 'Returns the time of the sandbox, and how far it is ahead of the real time.',
        response: { 200: Type.Object(Clock, { title: 'SandboxClock' }) },
      },
    },
    async ({ scope }) => readSandboxClock(scope),
  )

  app.post(
    '/v3/sandbox/advance',
    {
      schema: {
        operationId: 'advanceSandboxClock',
        tags,
        summary: 'Advance the clock of the sandbox',
        description:
          'Advances the clock. All steps that are due by the new time happen before the request returns.',
        body: Type.Object({ seconds: Type.Integer({ minimum: 1, maximum: MOST_SECONDS }) }),
        'x-body-example': { seconds: 86400 },
        response: {
          200: Type.Object({ ...Clock, steps: Type.Integer() }, { title: 'SandboxAdvance' }),
        },
      },
    },
    ({ scope, body }) => advanceSandbox(scope, parts, body.seconds),
  )
}
