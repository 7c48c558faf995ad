import type { IncomingHttpHeaders } from 'node:http'
import { type LocalSink, openHttpSink, type SinkOwner } from '../local-sink.ts'

export interface Message {
  path: string
  headers: IncomingHttpHeaders
  /** Message id. */
  id: string
  /** As it was signed. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  payload: any
}

export interface MessageSink extends Pick<LocalSink, 'url'> {
  /** In order of arrival. */
  messages: Message[]
  /** Status for each message; it may be exchanged at any time. */
  answer: (message: Message) => number | Promise<number>
  /** Message ids in order of arrival. */
  ids(): string[]
}

/** A receiver of webhooks, which accepts everything by default. */
export async function openMessageSink(owner: SinkOwner): Promise<MessageSink> {
  const messages: Message[] = []
  const local = await openHttpSink(owner, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const { headers, url: path = '' } = request
    const id = String(headers['webhook-id'])
    const message = { path, headers, id, text, payload: JSON.parse(text) }
    messages.push(message)
    response.statusCode = await sink.answer(message)
    response.end(`answer to ${id}`)
  })
  const sink: MessageSink = {
    url: local.url,
    messages,
    answer: () => 200,
    ids: () => messages.map(({ id }) => id),
  }
  return sink
}
