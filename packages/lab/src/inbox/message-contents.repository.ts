import type { ClickHouseReader } from '@salus/kernel/clickhouse/clickhouse'
import type { Environment } from '@salus/kernel/scope'

/** The environment and the store of moved contents. */
export interface ContentsScope {
  readonly clickhouse: Pick<ClickHouseReader, 'queryRows'>
  readonly environment: Pick<Environment, 'id'>
}

/** A message whose content may be in ClickHouse. */
interface MovableMessage {
  id: string
  content: Buffer
  answer_content?: Buffer | null
  moved_bytes: number | null
}

/**
 * Returns messages with their contents, wherever these are. An answer that came after the move is
 * in PostgreSQL. A message that is removed at this moment is left out.
 */
export async function withContents<Message extends MovableMessage>(
  { clickhouse, environment }: ContentsScope,
  messages: readonly Message[],
): Promise<Message[]> {
  const ids = messages.flatMap((row) => (row.moved_bytes === null ? [] : [row.id]))
  if (ids.length === 0) return [...messages]
  const rows = await clickhouse.queryRows<{ id: string; content: string; answer: string }>(
    `select toString(id) as id, base64Encode(content) as content, base64Encode(answer) as answer
    from lab_message_contents
    where environment_id = {environmentId:UUID} and lab_message_contents.id in {ids:Array(UUID)}
    limit 1 by id`,
    { environmentId: environment.id, ids },
  )
  const contents = new Map(rows.map((row) => [row.id, row]))
  return messages.flatMap((message) => {
    if (message.moved_bytes === null) return [message]
    const found = contents.get(message.id)
    if (found === undefined) return []
    const content = Buffer.from(found.content, 'base64')
    const answer = message.answer_content ?? Buffer.from(found.answer, 'base64')
    if (message.answer_content === undefined) return [{ ...message, content }]
    return [{ ...message, content, answer_content: answer.length === 0 ? null : answer }]
  })
}

/** Returns one message with its content, for a repository that may not have found it. */
export async function withContent<Message extends MovableMessage>(
  scope: ContentsScope,
  message: Message | undefined,
): Promise<Message | undefined> {
  if (message === undefined || message.moved_bytes === null) return message
  const [found] = await withContents(scope, [message])
  return found
}
