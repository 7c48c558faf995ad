import { Agent, fetch, type Response } from 'undici'
import type { Harness } from '../harness.ts'
import { until } from './until.ts'
import type { WebhookEnvironment } from './webhook-environment.ts'

export interface StreamItem {
  /** What Last-Event-ID takes. */
  position: string
  name: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  data: any
}

export interface StreamReader {
  response: Response
  items: StreamItem[]
  /** Ids of the events that came, in order. */
  ids(): string[]
  /** Waits until so many events came. */
  untilCount(count: number): Promise<string[]>
  lastPosition(): string
  /** Settles when the stream ends, by whichever side; false when it broke. */
  ended: Promise<boolean>
  close(): void
}

/** The address of the harness once it listens. */
export async function listen({ app }: Pick<Harness, 'app'>): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' })
}

/**
 * Until no transaction runs, of whichever database of the server, that began before the last event
 * of an environment was written: as long as one does, the stream keeps the event back.
 */
export async function untilReadable(
  { database }: Pick<Harness, 'database'>,
  { environmentId }: Pick<WebhookEnvironment, 'environmentId'>,
): Promise<void> {
  const text = `select coalesce(max(transaction_id) < pg_snapshot_xmin(pg_current_snapshot()), true)
    as is_readable from events where environment_id = $1`
  await until('older transactions ended', async () => {
    const { rows } = await database.pool.query(text, [environmentId])
    return rows[0].is_readable as boolean
  })
}

/** Opens an event stream over a real connection; it has the right to the environment of its key. */
export async function openStream(
  server: string,
  environment: Pick<WebhookEnvironment, 'base'>,
  key: string,
  { query = '', lastEventId = '' } = {},
): Promise<StreamReader> {
  // Of its own, so that nothing of it is left when it ends.
  const agent = new Agent()
  const response = await fetch(`${server}${environment.base}/event_stream?${query}`, {
    headers: { 'x-management-key': key, ...(lastEventId && { 'last-event-id': lastEventId }) },
    dispatcher: agent,
  })
  const items: StreamItem[] = []
  const ids = (): string[] =>
    items.filter(({ name }) => name === 'message').map(({ data }) => data.id)
  return {
    response,
    items,
    ids,
    untilCount: (count) => until(`${count} events came`, () => ids().length >= count && ids()),
    lastPosition: () => items.at(-1)?.position ?? '',
    ended: read(response, items)
      .then(
        () => true,
        () => false,
      )
      .finally(() => agent.destroy()),
    close: () => void agent.destroy(),
  }
}

async function read(response: Response, items: StreamItem[]): Promise<void> {
  let rest = ''
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    items.push(...blocks.map(parseItem))
  }
}

function parseItem(block: string): StreamItem {
  const fields = new Map(
    block.split('\n').map((line) => {
      const end = line.indexOf(': ')
      return [line.slice(0, end), line.slice(end + 2)]
    }),
  )
  return {
    position: fields.get('id') ?? '',
    name: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? 'null'),
  }
}
