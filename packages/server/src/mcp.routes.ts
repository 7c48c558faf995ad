import { forbidden } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { hasOwnOrigin } from '@salus/kernel/http/own-origin'
import { VERSION } from '@salus/kernel/version'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'

const messageId = { type: ['string', 'integer'], description: 'Of the message.', examples: [1] }
const jsonrpc = { type: 'string', const: '2.0', description: 'Version of JSON-RPC.' }

/** A message of JSON-RPC 2.0; the protocol has schemas of its own for what is in it. */
const Message = Type.Unsafe<unknown>({
  title: 'McpMessage',
  type: 'object',
  properties: {
    jsonrpc,
    id: messageId,
    method: { type: 'string', description: 'What is asked.', examples: ['tools/list'] },
    params: {
      type: 'object',
      additionalProperties: true,
      description: 'As the method wants them.',
    },
  },
  required: ['jsonrpc'],
  additionalProperties: true,
})

const Answer = Type.Unsafe<unknown>({
  title: 'McpAnswer',
  type: 'object',
  properties: {
    jsonrpc,
    id: messageId,
    result: { type: 'object', additionalProperties: true, description: 'What the method answers.' },
    error: { type: 'object', additionalProperties: true, description: 'Why it has no answer.' },
  },
  required: ['jsonrpc'],
  additionalProperties: true,
})

/** What proves who asks. */
const HANDED_ON = ['x-service-api-key', 'x-vital-api-key', 'authorization'] as const

/**
 * The MCP server over streamable HTTP, for assistants (docs/contract/01-conventions.md#mcp). Its
 * tools send requests of their own with the credential of the caller, so limits, isolation and
 * audit are those of every route.
 */
export function registerMcpRoutes(
  app: App,
  { config: { baseUrl } }: { config: { baseUrl: string | undefined } },
): void {
  app.post(
    '/mcp',
    {
      onRequest: async (request) => requireOwnOrigin(request, baseUrl),
      config: {
        isRead: true,
        personIn: 'nobody',
        produces: ['application/json', 'text/event-stream'],
      },
      schema: {
        operationId: 'callMcp',
        tags: ['Assistants'],
        summary: 'Ask by the Model Context Protocol',
        description:
          'Streamable HTTP of the Model Context Protocol, without sessions: a message of JSON-RPC, answered with one. Read-only tools over what the key or token opens.',
        body: Message,
        'x-body-example': { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        response: {
          200: Answer,
          202: { description: 'A notification was taken.', type: 'null' },
        },
      },
    },
    async (request, reply) => {
      // Loaded with its first use: few servers are asked by assistants.
      const mcp = await import('@salus/mcp')
      const answer = await mcp.answerOverHttp(toWebRequest(request), request.body, {
        version: VERSION,
        userId: request.limits.userId,
        call: async (asked) => {
          const { statusCode, body } = await app.inject({
            method: asked.method,
            url: mcp.addressOf(asked),
            headers: { ...credentialsOf(request), 'x-request-id': request.id },
            remoteAddress: request.ip,
            ...(asked.body !== undefined && { payload: asked.body }),
          })
          return mcp.readAnswer(statusCode, body)
        },
      })
      reply.code(answer.status as 200)
      const type = answer.headers.get('content-type')
      if (type !== null) reply.type(type)
      return reply.send(Buffer.from(await answer.arrayBuffer()))
    },
  )
}

/**
 * Assistants send no origin; a page of another one that a browser shows does, also one whose name
 * was made to lead here (DNS rebinding), as the protocol wants it held.
 */
function requireOwnOrigin(request: FastifyRequest, baseUrl: string | undefined): void {
  if (hasOwnOrigin(request, baseUrl)) return
  throw forbidden('cross_site_request', 'Pages of other sites may not ask here.')
}

function credentialsOf({ headers }: FastifyRequest): Record<string, string> {
  const known = HANDED_ON.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(known)
}

/** The request as the transport wants it; its body goes beside it. */
function toWebRequest({ headers }: FastifyRequest): Request {
  const known = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  // Nobody resolves the address: nothing of it is looked at.
  return new Request('http://salus/mcp', { method: 'POST', headers: known })
}
