import { randomUUID } from 'node:crypto'
import { Pool } from 'undici'
import type { ServerProcess } from './server-process.ts'

/** Kept-alive connections to a server; an answer that is no success is an error. */
export function createCaller(
  url: string,
  connections: number,
  headers: Record<string, string> = {},
) {
  const pool = new Pool(url, { connections, pipelining: 1 })
  return {
    async call(method: 'GET' | 'POST', path: string, body?: string | Buffer): Promise<string> {
      const response = await pool.request({ method, path, headers, ...(body && { body }) })
      const text = await response.body.text()
      if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${text.slice(0, 300)}`)
      return text
    },
    close: () => pool.close(),
  }
}

/** A client with kept-alive connections, as a customer's service would have. */
export function createClient(server: Pick<ServerProcess, 'url' | 'apiKey'>, connections: number) {
  const headers = { 'x-service-api-key': server.apiKey, 'content-type': 'application/json' }
  const { call, close } = createCaller(server.url, connections, headers)
  return {
    call,
    async makeUser(): Promise<string> {
      const created = await call('POST', '/v2/user', `{"client_user_id":"${randomUUID()}"}`)
      const userId: string = JSON.parse(created).user_id
      await call('POST', '/v2/link/provider/manual/health_connect', `{"user_id":"${userId}"}`)
      return userId
    },
    close,
  }
}

export type Client = ReturnType<typeof createClient>
