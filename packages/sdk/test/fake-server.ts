import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

type Answer = (request: ReceivedRequest, response: ServerResponse, attempt: number) => void

/** A server that returns the responses of a test, and records requests. */
export interface FakeServer {
  url: string
  requests: ReceivedRequest[]
  close(): Promise<void>
}

export async function startFakeServer(answer: Answer): Promise<FakeServer> {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('latin1')) body += chunk
    const { method = '', url = '', headers } = request
    const received = { method, url, headers, body }
    requests.push(received)
    answer(received, response, requests.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Returns an error body in the form of the contract. */
export function refuse(
  response: ServerResponse,
  status: number,
  errorType: string,
  headers: Record<string, string> = {},
): void {
  const detail = { error_type: errorType, error_message: 'Refused.' }
  answerJson(response, status, { detail }, headers)
}
