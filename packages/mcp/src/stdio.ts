import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer, type SalusMcpOptions } from './create-server.ts'

/**
 * Serves the process that started this one, until that closes the input. Nothing else may write to
 * stdout.
 */
export async function serveStdio(options: SalusMcpOptions): Promise<void> {
  const server = createMcpServer(options)
  const ended = Promise.withResolvers<void>()
  process.stdin.once('end', ended.resolve)
  process.stdin.once('close', ended.resolve)
  await server.connect(new StdioServerTransport())
  await ended.promise
  await server.close()
}
