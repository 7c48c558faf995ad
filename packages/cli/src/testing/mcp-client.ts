import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** A client of the protocol, closed after `work`. */
export async function withClient<T>(
  transport: Transport,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Json = any

interface ToolAnswer {
  isError?: boolean
  content: { type: string; text: string }[]
}

/** What a tool answers: its text, and that as JSON. */
export async function ask(client: Client, name: string, input: object = {}) {
  const answer = (await client.callTool({
    name,
    arguments: input as Record<string, unknown>,
  })) as unknown as ToolAnswer
  const text = answer.content[0]?.text ?? ''
  return {
    isError: answer.isError === true,
    text,
    json: text.startsWith('{') ? (JSON.parse(text) as Json) : undefined,
  }
}
