import pg from 'pg'

/** Records the distinct texts of statements to PostgreSQL of this process, until it is stopped. */
export function recordStatements(): { texts: Set<string>; stop(): void } {
  const texts = new Set<string>()
  const { query } = pg.Client.prototype
  const record = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text
    if (text !== undefined) texts.add(text.replaceAll(/\s+/g, ' ').trim())
    return Reflect.apply(query, this, given)
  }
  pg.Client.prototype.query = record as typeof query
  return {
    texts,
    stop() {
      pg.Client.prototype.query = query
    },
  }
}
