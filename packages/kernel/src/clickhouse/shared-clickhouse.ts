import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ClickHouse, ClickHouseReader, QueryParameters } from './clickhouse.ts'
import { ClickHouseError, toClickHouseError } from './clickhouse-error.ts'
import { parseRows } from './result-rows.ts'

/**
 * The embedded engine is in one process. Other processes of the same owner, such as a backup, send
 * statements through a socket next to its files, in a folder that only the owner may enter.
 */
const socketOf = (directory: string): string => join(directory, 'salus.sock')
/** A longer path does not fit into the address of a socket. */
const MOST_ADDRESS_BYTES = 100

interface Statement {
  sql: string
  parameters: QueryParameters
  /** Output format; none for a statement without a result. */
  format?: string
}

/**
 * Answers other processes until it is closed; returns undefined where the path is too long for a
 * socket.
 */
export async function shareClickHouse(clickhouse: ClickHouse, directory: string) {
  const path = socketOf(directory)
  if (Buffer.byteLength(path) > MOST_ADDRESS_BYTES) return undefined
  // Only one process can hold the data directory, so an existing socket is left from a process that
  // was killed.
  rmSync(path, { force: true })
  const server = createServer((incoming, response) => {
    answerStatement(clickhouse, incoming, response).catch((error: unknown) => fail(response, error))
  })
  server.listen(path)
  await once(server, 'listening')
  chmodSync(path, 0o600)
  // The socket must not keep an ending process alive.
  server.unref()
  return {
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function answerStatement(
  clickhouse: ClickHouse,
  incoming: IncomingMessage,
  response: ServerResponse,
) {
  const { sql, parameters, format } = (await json(incoming)) as Statement
  if (format === undefined) {
    await clickhouse.command(sql, parameters)
    response.end()
  } else {
    const rows = clickhouse.queryStream(sql, parameters, format)
    // An error of the statement shows here, while it can still be reported.
    const first = await rows.next()
    if (first.done) return void response.end()
    response.write(first.value)
    await pipeline(Readable.from(rows), response)
  }
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const { code, message } = toClickHouseError(error)
  response.writeHead(500).end(JSON.stringify({ code, message }))
}

/**
 * Returns the column store of the process that has the directory open, or undefined when there is
 * none.
 */
export async function findSharedClickHouse(
  directory: string,
): Promise<ClickHouseReader | undefined> {
  const ask = (statement: Statement): Promise<IncomingMessage> =>
    send(socketOf(directory), statement)
  const reader: ClickHouseReader = {
    async command(sql, parameters = {}) {
      await drain(await ask({ sql, parameters }))
    },
    async queryRows<Row>(sql: string, parameters: QueryParameters = {}) {
      return parseRows<Row>(await drain(await ask({ sql, parameters, format: 'JSONEachRow' })))
    },
    async *queryStream(sql, parameters, format) {
      yield* await ask({ sql, parameters, format })
    },
  }
  try {
    await reader.queryRows('select 1')
    return reader
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes(String((error as { code?: unknown }).code))) return
    throw error
  }
}

async function send(socketPath: string, statement: Statement): Promise<IncomingMessage> {
  const outgoing = request({ socketPath, method: 'POST', path: '/' })
  outgoing.end(JSON.stringify(statement))
  const [response]: [IncomingMessage] = (await once(outgoing, 'response')) as never
  if (response.statusCode === 200) return response
  const { code, message } = (await json(response)) as { code: number; message: string }
  throw new ClickHouseError(code, message)
}

async function drain(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks)
}
