import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer, type SalusMcpOptions } from './create-server.ts'

/**
 * Answers one POST of streamable HTTP. There is no state between requests, so any process can
 * answer the next one; the response is JSON, because tools send no notifications.
 * @param request Its headers; the body was read.
 */
export async function answerOverHttp(
  request: Request,
  body: unknown,
  options: SalusMcpOptions,
): Promise<Response> {
  const server = createMcpServer(options)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport)
    return await transport.handleRequest(request, { parsedBody: body })
  } finally {
    await server.close()
  }
}
