import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LocalServer {
  url: string
  port: number
  /** Cuts off whoever is connected. */
  close(): Promise<void>
}

/** An HTTP server on this machine, at a free port unless one is named. */
export async function startLocalServer(answer: RequestListener, port = 0): Promise<LocalServer> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export interface ReceivedMessage {
  headers: IncomingHttpHeaders
  body: string
}

/** A receiver of webhooks, which answers what `status` says, and nothing for undefined. */
export async function startReceiver(
  status: (message: ReceivedMessage) => number | undefined = () => 204,
  port = 0,
): Promise<LocalServer & { messages: ReceivedMessage[] }> {
  const messages: ReceivedMessage[] = []
  const server = await startLocalServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const message = { headers: request.headers, body }
    messages.push(message)
    const code = status(message)
    if (code !== undefined) response.writeHead(code).end()
  }, port)
  return { ...server, messages }
}
