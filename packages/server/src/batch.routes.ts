import { TextEnum, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { MOST_ROWS, type RowResult, RowResults, toRowResults } from '@salus/kernel/http/row-results'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { credentialsOf } from './mcp.routes.ts'

interface Operation {
  method: 'POST' | 'DELETE'
  addressOf: (id: string) => string
}

const task = (action: string): Operation => ({
  method: 'POST',
  addressOf: (id) => `/v3/task/${id}/${action}`,
})

/** Operations that a batch repeats, by their ids in the OpenAPI document. */
const OPERATIONS = {
  // The newest data are requested, and not waited for.
  refreshUser: { method: 'POST', addressOf: (id) => `/v2/user/refresh/${id}?timeout=0` },
  exportPerson: { method: 'POST', addressOf: (id) => `/v2/user/${id}/export` },
  deleteUser: { method: 'DELETE', addressOf: (id) => `/v2/user/${id}` },
  cancelOrder: { method: 'POST', addressOf: (id) => `/v3/order/${id}/cancel` },
  receiveTask: task('receive'),
  acknowledgeTask: task('acknowledge'),
  assignTask: task('assign'),
  completeTask: task('complete'),
  cancelTask: task('cancel'),
} as const satisfies Record<string, Operation>
type OperationName = keyof typeof OPERATIONS

const Batch = Type.Object(
  {
    operation: TextEnum(Object.keys(OPERATIONS) as OperationName[], {
      description: 'Operation that is done for each id.',
    }),
    ids: Type.Array(Uuid, {
      minItems: 1,
      maxItems: MOST_ROWS,
      description: 'Ids of users, orders or tasks.',
    }),
    body: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Body of the operation, the same for each id.',
      }),
    ),
  },
  { title: 'Batch', additionalProperties: false },
)

/** Rows that are worked on at the same time. */
const AT_ONCE = 4

/**
 * Registers batches (docs/contract/01-conventions.md#batches). Each row is a request of its own
 * with the credential of the caller, so permissions, limits, holds and the audit log are those of
 * the operation, and each row is whole or not done.
 */
export function registerBatchRoute(app: App): void {
  app.post(
    '/v2/batch',
    {
      schema: {
        operationId: 'runBatch',
        tags: ['Users'],
        summary: 'Repeat an operation for several ids',
        description:
          'Does the operation for each id, and returns the outcome of each. A refusal of one id does not stop the others.',
        body: Batch,
        'x-body-example': {
          operation: 'acknowledgeTask',
          ids: ['0198c0de-0000-7000-8000-000000000001'],
          body: { name: 'Dr. Ines Park' },
        },
        response: { 200: RowResults },
      },
    },
    async (request) => {
      const { operation, body } = request.body
      const ids = [...new Set(request.body.ids.map((id) => id.toLowerCase()))]
      const results: RowResult[] = []
      for (let first = 0; first < ids.length; first += AT_ONCE) {
        const rows = ids.slice(first, first + AT_ONCE)
        results.push(
          ...(await Promise.all(rows.map((id) => send(app, request, operation, id, body)))),
        )
      }
      return toRowResults(results)
    },
  )
}

async function send(
  app: App,
  request: FastifyRequest,
  operation: OperationName,
  id: string,
  body: Record<string, unknown> | undefined,
): Promise<RowResult> {
  const { method, addressOf } = OPERATIONS[operation]
  const { statusCode, body: answer } = await app.inject({
    method,
    url: addressOf(id),
    headers: { ...credentialsOf(request), 'x-request-id': request.id },
    remoteAddress: request.ip,
    ...(body !== undefined && { payload: body }),
  })
  return { id, status: statusCode, ...(statusCode < 400 ? DONE : refusalOf(answer)) }
}

const DONE = { error_type: null, error_message: null }

/** Reads the body of an error in each of its shapes (docs/contract/01-conventions.md#errors). */
function refusalOf(answer: string): Pick<RowResult, 'error_type' | 'error_message'> {
  const { detail, error } = JSON.parse(answer) as {
    detail?: string | { msg: string }[] | { error_type?: string; error_message?: string }
    error?: string
  }
  if (Array.isArray(detail)) {
    return { error_type: 'validation_error', error_message: detail[0]?.msg ?? null }
  }
  if (typeof detail === 'string') return { error_type: 'not_found', error_message: detail }
  return {
    error_type: detail?.error_type ?? 'failed',
    error_message: detail?.error_message ?? error ?? null,
  }
}
