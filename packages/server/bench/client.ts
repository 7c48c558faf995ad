import { randomUUID } from 'node:crypto'
import { Pool } from 'undici'
import type { ServerProcess } from './server-process.ts'

/** A client with kept-alive connections, as a customer's service would have. */
export function createClient(server: ServerProcess, connections: number) {
  const pool = new Pool(server.url, { connections, pipelining: 1 })
  const headers = { 'x-service-api-key': server.apiKey, 'content-type': 'application/json' }

  async function call(method: 'GET' | 'POST', path: string, body?: string): Promise<string> {
    const response = await pool.request({ method, path, headers, ...(body && { body }) })
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${text.slice(0, 300)}`)
    return text
  }

  return {
    call,
    async makeUser(): Promise<string> {
      const created = await call('POST', '/v2/user', `{"client_user_id":"${randomUUID()}"}`)
      const userId: string = JSON.parse(created).user_id
      await call('POST', '/v2/link/provider/manual/health_connect', `{"user_id":"${userId}"}`)
      return userId
    },
    close: () => pool.close(),
  }
}

export type Client = ReturnType<typeof createClient>
