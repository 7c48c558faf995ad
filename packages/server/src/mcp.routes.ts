import { forbidden } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { hasOwnOrigin } from '@salus/kernel/http/own-origin'
import { VERSION } from '@salus/kernel/version'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'

const messageId = { type: ['string', 'integer'], description: 'Id of the message.', examples: [1] }
const jsonrpc = { type: 'string', const: '2.0', description: 'Version of JSON-RPC.' }

/** A message of JSON-RPC 2.0; the protocol has schemas of its own for its content. */
const Message = Type.Unsafe<unknown>({
  title: 'McpMessage',
  type: 'object',
  properties: {
    jsonrpc,
    id: messageId,
    method: { type: 'string', description: 'Method that is called.', examples: ['tools/list'] },
    params: {
      type: 'object',
      additionalProperties: true,
      description: 'Parameters of the method.',
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
    result: { type: 'object', additionalProperties: true, description: 'Result of the method.' },
    error: {
      type: 'object',
      additionalProperties: true,
      description: 'Error, when there is no result.',
    },
  },
  required: ['jsonrpc'],
  additionalProperties: true,
})

/** Headers with the credential of the caller. */
const HANDED_ON = ['x-service-api-key', 'x-vital-api-key', 'authorization'] as const

/**
 * Registers the MCP server over streamable HTTP, for assistants
 * (docs/contract/01-conventions.md#mcp). Its tools send requests of their own with the credential
 * of the caller, so limits, isolation and audit are those of every route.
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
        personIn: 'none',
        produces: ['application/json', 'text/event-stream'],
      },
      schema: {
        operationId: 'callMcp',
        tags: ['Assistants'],
        summary: 'Call the Model Context Protocol server',
        description:
          'Answers one JSON-RPC message with another, by the Streamable HTTP transport of the Model Context Protocol without sessions. The tools only read, and reach the data that the key or token gives access to.',
        body: Message,
        'x-body-example': { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        response: {
          200: Answer,
          202: { description: 'The notification was accepted.', type: 'null' },
        },
      },
    },
    async (request, reply) => {
      // Loaded with its first use, because few servers get requests of assistants.
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
 * Requires our own origin. Assistants send none; a browser sends that of its page, also for a name
 * that was made to resolve to this server (DNS rebinding), and the protocol requires this check.
 */
function requireOwnOrigin(request: FastifyRequest, baseUrl: string | undefined): void {
  if (hasOwnOrigin(request, baseUrl)) return
  throw forbidden('cross_site_request', 'Pages of other origins may not send requests here.')
}

/** Returns the headers with the credential of a request, for a request of its own. */
export function credentialsOf({ headers }: FastifyRequest): Record<string, string> {
  const known = HANDED_ON.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(known)
}

/** Returns the request in the form of the transport; its body is passed separately. */
function toWebRequest({ headers }: FastifyRequest): Request {
  const known = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  // The address is neither resolved nor read.
  return new Request('http://salus/mcp', { method: 'POST', headers: known })
}
